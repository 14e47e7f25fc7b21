// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// A struct and a function of one name, which Swift can import but not declare: a part of the imitation of Darwin. Their names
// in C are others, since the C library of Linux has the same ones.

struct darwin_timespec {
    long tv_sec;
    long tv_nsec;
} __attribute__((swift_name("timespec")));

struct darwin_stat {
    int st_dev;
    unsigned short st_mode;
    unsigned short st_nlink;
    unsigned long long st_ino;
    unsigned int st_uid;
    unsigned int st_gid;
    struct darwin_timespec st_mtimespec;
    struct darwin_timespec st_ctimespec;
    struct darwin_timespec st_birthtimespec;
    long long st_size;
} __attribute__((swift_name("stat")));

int darwin_stat(const char *, struct darwin_stat *) __attribute__((swift_name("stat(_:_:)")));
