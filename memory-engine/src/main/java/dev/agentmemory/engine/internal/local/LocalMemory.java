package dev.agentmemory.engine.internal.local;

import dev.agentmemory.api.Admin;
import dev.agentmemory.api.EventLog;
import dev.agentmemory.api.Ingest;
import dev.agentmemory.api.Jobs;
import dev.agentmemory.api.Memory;
import dev.agentmemory.api.Recall;
import dev.agentmemory.api.Search;
import dev.agentmemory.api.Sessions;
import dev.agentmemory.api.contents.Contents;

/// The memory of a workspace in this process.
public record LocalMemory(
    Ingest ingest,
    EventLog events,
    Contents contents,
    Search search,
    Sessions sessions,
    Recall recall,
    Jobs jobs,
    Admin admin)
    implements Memory {}
