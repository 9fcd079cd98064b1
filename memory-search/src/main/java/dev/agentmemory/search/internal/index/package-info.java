/// The Lucene index: fields, documents, generations, vectors.
@NullMarked
package dev.agentmemory.search.internal.index;

import org.jspecify.annotations.NullMarked;
