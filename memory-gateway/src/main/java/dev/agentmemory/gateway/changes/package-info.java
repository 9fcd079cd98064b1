/// `GET /api/v1/changes`: what is changed in a workspace, as it happens.
@NullMarked
package dev.agentmemory.gateway.changes;

import org.jspecify.annotations.NullMarked;
