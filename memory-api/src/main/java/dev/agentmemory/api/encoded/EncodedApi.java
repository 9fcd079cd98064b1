package dev.agentmemory.api.encoded;

/// All calls of the API with encoded messages, and what their requests look like.
public interface EncodedApi extends EncodedCalls, EncodedStreams, RequestFields {}
