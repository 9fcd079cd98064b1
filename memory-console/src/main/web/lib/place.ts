// The workspace of an address: `?workspace=NAME`; without it, the one that the tab shows.

import {here, type Place} from './router.ts';
import {workspace} from './session.ts';

/** The daemon's workspace for calls that name none. */
const DEFAULT = 'default';

/** The workspace that an address names; undefined for that of the tab. */
export function workspaceOf(place: Place | undefined): string | undefined {
  return place?.query.get('workspace') || undefined;
}

/** The workspace of the present address; null for the daemon's default. */
export function shownWorkspace(): string | null {
  return workspaceOf(here()) ?? workspace();
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

/** An address with the workspace of the present one. */
export function linked(address: string): string {
  return within(workspaceOf(here()), address);
}
