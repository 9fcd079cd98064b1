/// English as far as rules need it: words with their parts of speech, the grammar of clauses, and
/// patterns of wordings.
@NullMarked
package dev.agentmemory.recall.internal.grammar;

import org.jspecify.annotations.NullMarked;
