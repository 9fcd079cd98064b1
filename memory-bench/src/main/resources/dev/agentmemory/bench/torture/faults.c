/* A library for LD_PRELOAD: lets writes and syncs of regular files below a folder fail, and shifts
 * the system time. What it does is set through a file that other processes change. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* The file, in the byte order of the machine. FaultControl has the same order of fields. */
struct control {
  volatile int64_t write_errno;   /* 0: writes do not fail */
  volatile int64_t sync_errno;    /* 0: syncs do not fail */
  volatile int64_t shift_seconds; /* added to the system time */
  volatile int64_t failed_writes; /* counts */
  volatile int64_t failed_syncs;
  volatile int64_t shifted_reads;
};

static struct control off;
static struct control *control = &off;
static const char *folder = "";

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("BENCH_FAULTS");
  const char *below = getenv("BENCH_FAULTS_BELOW");
  if (!file || !below) return;
  int fd = open(file, O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  void *map = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (map == MAP_FAILED) return;
  folder = below;
  control = map;
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* Sockets and pipes are written, too, and must not fail. */
static int is_below(int fd) {
  struct stat stat;
  char link[64], path[4096];
  if (fstat(fd, &stat) || !S_ISREG(stat.st_mode)) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return !strncmp(path, folder, strlen(folder));
}

static int write_fails(int fd) {
  int64_t error = control->write_errno;
  if (!error || !is_below(fd)) return 0;
  __sync_fetch_and_add(&control->failed_writes, 1);
  errno = (int)error;
  return 1;
}

static int sync_fails(int fd) {
  int64_t error = control->sync_errno;
  if (!error || !is_below(fd)) return 0;
  __sync_fetch_and_add(&control->failed_syncs, 1);
  errno = (int)error;
  return 1;
}

/* As a disk does, every second failing write leaves its first half in the file. */
ssize_t write(int fd, const void *bytes, size_t count) {
  REAL(write);
  if (write_fails(fd)) {
    int error = errno;
    if (control->failed_writes % 2 && count > 1) (void)!real(fd, bytes, count / 2);
    errno = error;
    return -1;
  }
  return real(fd, bytes, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  REAL(pwrite);
  return write_fails(fd) ? -1 : real(fd, bytes, count, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  REAL(pwrite64);
  return write_fails(fd) ? -1 : real(fd, bytes, count, at);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(writev);
  return write_fails(fd) ? -1 : real(fd, parts, count);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
  REAL(pwritev);
  return write_fails(fd) ? -1 : real(fd, parts, count, at);
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t at) {
  REAL(pwritev64);
  return write_fails(fd) ? -1 : real(fd, parts, count, at);
}

int fsync(int fd) {
  REAL(fsync);
  return sync_fails(fd) ? -1 : real(fd);
}

int fdatasync(int fd) {
  REAL(fdatasync);
  return sync_fails(fd) ? -1 : real(fd);
}

static int64_t shift(void) {
  int64_t seconds = control->shift_seconds;
  if (seconds) __sync_fetch_and_add(&control->shifted_reads, 1);
  return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  REAL(clock_gettime);
  int failed = real(clock, now);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += shift();
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  REAL(gettimeofday);
  int failed = real(now, zone);
  if (!failed) now->tv_sec += shift();
  return failed;
}

time_t time(time_t *out) {
  REAL(time);
  time_t now = real(NULL) + shift();
  if (out) *out = now;
  return now;
}
