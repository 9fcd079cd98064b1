/// How stores are opened, and the memory that they share.
@NullMarked
package dev.agentmemory.storage.config;

import org.jspecify.annotations.NullMarked;
