/// What can be set, where it is read from, and the checked result; and the version of the program.
@NullMarked
package dev.agentmemory.daemon.config;

import org.jspecify.annotations.NullMarked;
