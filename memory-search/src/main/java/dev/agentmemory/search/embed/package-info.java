/// Vectors of texts: a model in this process, or a server's.
@NullMarked
package dev.agentmemory.search.embed;

import org.jspecify.annotations.NullMarked;
