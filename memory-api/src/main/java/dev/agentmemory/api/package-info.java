/// What a program can ask of a memory, and the values of requests and results.
@NullMarked
package dev.agentmemory.api;

import org.jspecify.annotations.NullMarked;
