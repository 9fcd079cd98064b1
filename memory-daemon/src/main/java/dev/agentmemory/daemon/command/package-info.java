/// The commands that read or replace stores themselves, read settings, or start a daemon.
@NullMarked
package dev.agentmemory.daemon.command;

import org.jspecify.annotations.NullMarked;
