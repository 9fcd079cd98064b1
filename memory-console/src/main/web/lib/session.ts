// The key of this page: who may read and change what. It is in `sessionStorage`, so it ends with the
// tab and no other server of this machine is ever sent it, as it would be a cookie.

const KEY = 'memory.key';
const WORKSPACE = 'memory.workspace';
const ZONE = 'memory.zone';
const CHANNEL = 'memory.key';
const WAIT_MILLIS = 500;

/** Takes over the key from the page that `memory console` has opened. */
export function takeKey(): void {
  const handed = document.querySelector<HTMLMetaElement>('meta[name="memory-key"]');
  if (!handed) return;
  sessionStorage.setItem(KEY, handed.content);
  sessionStorage.removeItem(ZONE);
  const workspace = document.querySelector<HTMLMetaElement>('meta[name="memory-workspace"]');
  if (workspace?.content) sessionStorage.setItem(WORKSPACE, workspace.content);
  else sessionStorage.removeItem(WORKSPACE);
  handed.remove();
  workspace?.remove();
  history.replaceState(null, '', '/');
}

/** The key, if this tab has one. */
export function key(): string | null {
  return sessionStorage.getItem(KEY);
}

export function forgetKey(): void {
  sessionStorage.removeItem(KEY);
}

/** The workspace that the page shows; null for the daemon's default. */
export function workspace(): string | null {
  return sessionStorage.getItem(WORKSPACE);
}

export function chooseWorkspace(name: string | null): void {
  if (name) sessionStorage.setItem(WORKSPACE, name);
  else sessionStorage.removeItem(WORKSPACE);
}

/** The zone of a workspace's store, which it keeps for ever; undefined if it was not asked for yet. */
export function knownZone(workspace: string | null): string | undefined {
  const [zone, of] = sessionStorage.getItem(ZONE)?.split(' ') ?? [];
  return of === (workspace ?? '') ? zone : undefined;
}

export function rememberZone(zone: string, workspace: string | null): void {
  sessionStorage.setItem(ZONE, zone + ' ' + (workspace ?? ''));
}

/**
 * Asks the other tabs of this server for their key, so that an address that is pasted into a new tab
 * opens. Only pages of the same origin hear it.
 */
export function askOtherTabs(): Promise<boolean> {
  return new Promise(done => {
    const channel = new BroadcastChannel(CHANNEL);
    const end = (found: boolean) => {
      channel.close();
      done(found);
    };
    channel.onmessage = ({data}) => {
      if (data && typeof data.key === 'string') {
        sessionStorage.setItem(KEY, data.key);
        if (data.workspace) sessionStorage.setItem(WORKSPACE, data.workspace);
        end(true);
      }
    };
    channel.postMessage({ask: true});
    setTimeout(() => end(false), WAIT_MILLIS);
  });
}

/** Answers other tabs that ask. */
export function answerOtherTabs(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({data}) => {
    const own = key();
    if (data?.ask && own) channel.postMessage({key: own, workspace: workspace()});
  };
}
