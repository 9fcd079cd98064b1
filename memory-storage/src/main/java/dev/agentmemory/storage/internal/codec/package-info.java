/// Keys and values of rows as bytes, and batches of them.
@NullMarked
package dev.agentmemory.storage.internal.codec;

import org.jspecify.annotations.NullMarked;
