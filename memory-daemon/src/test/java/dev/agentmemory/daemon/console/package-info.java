/// The web console of the packaged daemon, in a real browser.
@NullMarked
package dev.agentmemory.daemon.console;

import org.jspecify.annotations.NullMarked;
