/// A stub of a model provider that runs in the test: real HTTP, real wire formats, scripted
/// replies.
@NullMarked
package dev.agentmemory.testkit.provider;

import org.jspecify.annotations.NullMarked;
