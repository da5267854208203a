"""runner: runs a command with its streams on files in memory."""
import os
import signal


class Runner:
    """Descriptor 3 of the command is a file too, for notes of preload.c."""

    def __init__(self, env):
        self.env = env
        self.fds = [os.memfd_create(n) for n in ("in", "out", "err", "note")]
        self.actions = [(os.POSIX_SPAWN_DUP2, fd, i)
                        for i, fd in enumerate(self.fds)]

    def start(self, argv, stdin, env=None):
        for fd in self.fds:
            os.ftruncate(fd, 0)
            os.lseek(fd, 0, os.SEEK_SET)
        view = memoryview(stdin)
        while view:
            view = view[os.write(self.fds[0], view):]
        os.lseek(self.fds[0], 0, os.SEEK_SET)
        # Python ignores SIGPIPE, which what it starts would inherit.
        return os.posix_spawnp(argv[0], argv, env or self.env,
                               file_actions=self.actions,
                               setsigdef=[signal.SIGPIPE])

    def finish(self, pid):
        """Exit status (below 0: a signal), standard output and error."""
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        return (status,) + tuple(os.pread(fd, os.fstat(fd).st_size, 0)
                                 for fd in self.fds[1:3])

    def run(self, argv, stdin, env=None):
        return self.finish(self.start(argv, stdin, env))

    def notes(self):
        """Bytes that came on descriptor 3."""
        return os.fstat(self.fds[3]).st_size
