/// Whether what was forgotten is gone: from every answer and from every file.
@NullMarked
package dev.agentmemory.bench.forget;

import org.jspecify.annotations.NullMarked;
