/// Tests of the client, against a provider over real HTTP.
@NullMarked
package dev.agentmemory.model;

import org.jspecify.annotations.NullMarked;
