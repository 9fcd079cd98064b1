package dev.agentmemory.gateway.internal.server;

import dev.agentmemory.gateway.http.RefusalReason;
import dev.agentmemory.types.ErrorCode;

/// Why and with which answer a request is refused.
record Refusal(RefusalReason reason, int status, ErrorCode code, String message) {}
