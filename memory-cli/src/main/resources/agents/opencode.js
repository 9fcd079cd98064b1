// agent-memory: written by `memory install opencode`; `memory uninstall opencode` removes it.
// Passes prompts, results and the end of turns to memory-hook, which keeps them for the daemon. It never throws, and
// waits only for context: at the start of a session and at a prompt.
import { spawn } from "node:child_process";

const HOOK = "@HOOK@";
const MOST_WAIT_MS = 4000;

// Ends with what memory-hook prints, or undefined if it did not take the payload.
function hook(event, payload) {
  return new Promise((resolve) => {
    try {
      const child = spawn(HOOK, ["opencode", event], { stdio: ["pipe", "pipe", "ignore"] });
      const timer = setTimeout(() => child.kill(), MOST_WAIT_MS);
      let out = "";
      child.stdout.on("data", (part) => (out += part));
      child.on("error", () => resolve(undefined));
      child.on("close", (code) => {
        clearTimeout(timer);
        resolve(code === 0 ? out : undefined);
      });
      child.stdin.on("error", () => {});
      child.stdin.end(JSON.stringify(payload) + "\n");
    } catch {
      resolve(undefined);
    }
  });
}

function contextOf(answer) {
  try {
    const text = JSON.parse(answer).additionalContext;
    return typeof text === "string" ? text : "";
  } catch {
    return "";
  }
}

export const AgentMemory = async ({ client, directory, worktree }) => {
  // What a session was given. The system prompt is built for each request of the model, so it is kept, not asked for again.
  const given = new Map();
  const known = new Set();
  const infos = new Map();
  const sent = new Map();

  function give(sessionID, answer) {
    const text = contextOf(answer);
    if (text) given.set(sessionID, [...(given.get(sessionID) ?? []), text]);
  }

  async function begin(sessionID, info) {
    if (known.has(sessionID)) return;
    known.add(sessionID);
    give(sessionID, await hook("session.created", { type: "session.created", properties: { sessionID, info }, directory, worktree }));
  }

  // It says when a session was created: a fork's copies of earlier messages are older. And whether it is a subagent's.
  async function infoOf(sessionID) {
    try {
      const info = infos.get(sessionID) ?? (await client.session.get({ path: { id: sessionID } })).data;
      if (info) infos.set(sessionID, info);
      return info;
    } catch {
      return undefined;
    }
  }

  // The messages of a turn that has ended, each once; those that were not taken again with the next turn.
  async function turn(sessionID) {
    const all = (await client.session.messages({ path: { id: sessionID } })).data ?? [];
    const last = sent.get(sessionID);
    const from = all.findIndex((message) => message.info.id === last) + 1;
    const properties = { sessionID, info: await infoOf(sessionID) };
    const taken = await hook("session.idle", { type: "session.idle", properties, directory, worktree, messages: all.slice(from) });
    if (taken !== undefined && all.length > 0) sent.set(sessionID, all[all.length - 1].info.id);
  }

  return {
    event: async ({ event }) => {
      try {
        const sessionID = event.properties?.sessionID;
        if (event.type === "session.created") await begin(sessionID, event.properties.info);
        if (event.type === "session.idle") await turn(sessionID);
      } catch {}
    },
    "chat.message": async (input, output) => {
      try {
        await begin(input.sessionID);
        const properties = { info: await infoOf(input.sessionID) };
        give(input.sessionID, await hook("chat.message", { i: input, o: output, properties, directory, worktree }));
      } catch {}
    },
    "experimental.chat.system.transform": async (input, output) => {
      for (const text of given.get(input.sessionID) ?? []) output.system.push(text);
    },
  };
};
