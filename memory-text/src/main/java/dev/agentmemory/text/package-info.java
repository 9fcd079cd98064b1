/// Text processing: boundaries of characters, sentences, and terms. Independent of the machine's
/// locale and of any clock.
@NullMarked
package dev.agentmemory.text;

import org.jspecify.annotations.NullMarked;
