/// Keys and values of rows as bytes, and commits that are encoded.
@NullMarked
package dev.agentmemory.storage.codec;

import org.jspecify.annotations.NullMarked;
