// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

#include "FileFaultCalls.h"

// Functions of the C library that write files, as the program that links this file calls them. They fail on request.

static struct {
    int armed, at, lasting, count;
    enum file_fault fault;
} plan;

void begin_file_faults(int at, enum file_fault fault, int lasting) {
    plan.at = at;
    plan.fault = fault;
    plan.lasting = lasting;
    plan.count = 0;
    plan.armed = 1;
}

int end_file_faults(void) {
    plan.armed = 0;
    return plan.count;
}

#ifdef __linux__

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

// The header of `RTLD_NEXT` is already included without it on some systems.
#ifndef RTLD_NEXT
#define RTLD_NEXT ((void *)-1L)
#endif

/// Whether this call is one of those that fail.
static int is_hit(void) {
    if (!plan.armed) return 0;
    plan.count += 1;
    return plan.count == plan.at || (plan.lasting && plan.count > plan.at);
}

static int fails(void) {
    if (!is_hit() || plan.fault == file_fault_short_write) return 0;
    errno = plan.fault == file_fault_no_space ? ENOSPC : EIO;
    return 1;
}

/// The number of bytes that a call writes; -1 if it fails.
static ssize_t allowed(size_t count) {
    if (!is_hit()) return (ssize_t)count;
    if (plan.fault == file_fault_short_write) return count > 1 ? (ssize_t)(count / 2) : (ssize_t)count;
    errno = plan.fault == file_fault_no_space ? ENOSPC : EIO;
    return -1;
}

#define REAL(result, name, ...)                                     \
    static result (*real)(__VA_ARGS__);                             \
    if (!real) real = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

int fsync(int file) {
    REAL(int, fsync, int);
    return fails() ? -1 : real(file);
}

int ftruncate(int file, off_t size) {
    REAL(int, ftruncate, int, off_t);
    return fails() ? -1 : real(file, size);
}

int fchmod(int file, mode_t mode) {
    REAL(int, fchmod, int, mode_t);
    return fails() ? -1 : real(file, mode);
}

int flock(int file, int operation) {
    REAL(int, flock, int, int);
    return fails() ? -1 : real(file, operation);
}

int linkat(int folder, const char *path, int new_folder, const char *new_path, int flags) {
    REAL(int, linkat, int, const char *, int, const char *, int);
    return fails() ? -1 : real(folder, path, new_folder, new_path, flags);
}

int renameat(int folder, const char *path, int new_folder, const char *new_path) {
    REAL(int, renameat, int, const char *, int, const char *);
    return fails() ? -1 : real(folder, path, new_folder, new_path);
}

int unlinkat(int folder, const char *path, int flags) {
    REAL(int, unlinkat, int, const char *, int);
    return fails() ? -1 : real(folder, path, flags);
}

int openat(int folder, const char *path, int flags, ...) {
    REAL(int, openat, int, const char *, int, ...);
    va_list list;
    va_start(list, flags);
    mode_t mode = va_arg(list, mode_t);
    va_end(list);
    return fails() ? -1 : real(folder, path, flags, mode);
}

ssize_t write(int file, const void *bytes, size_t count) {
    REAL(ssize_t, write, int, const void *, size_t);
    // What the program says is no file.
    ssize_t limit = file <= 2 ? (ssize_t)count : allowed(count);
    return limit < 0 ? -1 : real(file, bytes, (size_t)limit);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
    ssize_t limit = allowed(count);
    return limit < 0 ? -1 : real(file, bytes, (size_t)limit, offset);
}

#endif
