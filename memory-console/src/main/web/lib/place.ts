// The workspace of an address: `?workspace=NAME`; without it, the one that the tab shows.

import {workspace} from './session.ts';
import type {Place} from './router.ts';

/** The daemon's workspace for calls that name none. */
const DEFAULT = 'default';

/** For `rpc`: undefined for the workspace of the tab. */
export function workspaceOf(place: Place): string | undefined {
  return place.query.get('workspace') || undefined;
}

/** Its name. */
export function workspaceName(named: string | undefined): string {
  return named ?? workspace() ?? DEFAULT;
}

/** An address with the workspace in it, if it is another one than that of the tab. */
export function within(named: string | undefined, address: string): string {
  if (!named) return address;
  return address + (address.includes('?') ? '&' : '?') + 'workspace=' + encodeURIComponent(named);
}
