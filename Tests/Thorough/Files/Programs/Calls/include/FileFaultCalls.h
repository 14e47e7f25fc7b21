// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

/// What becomes of a call that is to fail.
enum file_fault { file_fault_input_output, file_fault_no_space, file_fault_short_write };

/// Lets the call number `at`, from 1, of the functions that write files fail, and all later ones if `lasting` is not 0.
void begin_file_faults(int at, enum file_fault fault, int lasting);

/// Ends that, and returns how many calls there were.
int end_file_faults(void);
