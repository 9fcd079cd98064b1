/// A provider of language models that runs in the test: real HTTP, real wire formats, scripted
/// answers.
@NullMarked
package dev.agentmemory.testkit.provider;

import org.jspecify.annotations.NullMarked;
