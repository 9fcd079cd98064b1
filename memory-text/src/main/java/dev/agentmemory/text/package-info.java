/// Text as people see it: characters that must not be cut, sentences, and the terms in them.
/// Nothing here depends on the machine's language or on a clock.
@NullMarked
package dev.agentmemory.text;

import org.jspecify.annotations.NullMarked;
