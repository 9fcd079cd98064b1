// What is known of the table of contents: loaded when a node is opened.

import {change, found, get} from '../../lib/api.ts';
import {ancestorsOf, isSegment, nodePath, type TocNode} from './nodes.ts';

interface Browsed {
  children?: TocNode[];
  continuationToken?: string;
}

interface Root {
  nodes?: TocNode[];
  newest?: (Browsed & {parentId: string})[];
}

interface Found {
  nodes?: TocNode[];
  omitted?: number;
}

interface Children {
  ids: string[];
  /** For the next page; absent when all are there. */
  next?: string | undefined;
}

const PAGE = 200;
/** Nodes that are read with one call. */
const AT_ONCE = 100;
const ROOT = '';

function parentOf(id: string): string {
  return ancestorsOf(id).at(-1) ?? ROOT;
}

/** The order of siblings: by time. */
function isBefore(one: TocNode, other: TocNode): boolean {
  const [first, second] = [Number(one.startTimeMs ?? 0), Number(other.startTimeMs ?? 0)];
  return first === second ? one.nodeId < other.nodeId : first < second;
}

/** The nodes that were loaded, and which of them are open. */
export class Tree {
  readonly #nodes = new Map<string, TocNode>();
  readonly #children = new Map<string, Children>();
  readonly #loading = new Map<string, Promise<void>>();
  readonly #open = new Set<string>();
  /** The nodes whose children the daemon tells in one answer. */
  #newest = new Set<string>();

  node(id: string): TocNode | undefined {
    return this.#nodes.get(id);
  }

  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  isLoading(id: string): boolean {
    return this.#loading.has(id);
  }

  /** The children of a node that are loaded; undefined when none were asked for. */
  children(id = ROOT): TocNode[] | undefined {
    return this.#children.get(id)?.ids.map(child => this.#nodes.get(child)!).filter(Boolean);
  }

  hasMore(id: string): boolean {
    return this.#children.get(id)?.next !== undefined;
  }

  /** Loads the years. */
  async roots(): Promise<void> {
    const {nodes = []} = await get<Root>('/toc');
    this.#keep(ROOT, nodes, undefined);
  }

  /** Loads the years, and all that is needed to open the newest node of each level. */
  async newest(): Promise<void> {
    const {nodes = [], newest = []} = await get<Root>('/toc', {descend: true, limit: PAGE});
    this.#keep(ROOT, nodes, undefined);
    this.#newest = new Set([ROOT, ...newest.map(({parentId}) => parentId)]);
    for (const {parentId, children = [], continuationToken} of newest) this.#keep(parentId, children, continuationToken);
  }

  close(id: string): void {
    this.#open.delete(id);
  }

  /** Opens a node: its children are there when the promise ends. */
  async open(id: string): Promise<void> {
    this.#open.add(id);
    if (!isSegment(id) && !this.#children.has(id)) await this.#load(id);
  }

  /** Loads the next page of children. */
  more(id: string): Promise<void> {
    return this.#load(id, this.#children.get(id)?.next);
  }

  /** Loads nodes again that have changed, as far as they or their siblings are known. New ones take their places. */
  async refresh(changed: string[]): Promise<void> {
    const wanted = changed.filter(id => this.#nodes.has(id) || this.#children.has(parentOf(id)));
    for (let from = 0; from < wanted.length; from += AT_ONCE) {
      const ids = wanted.slice(from, from + AT_ONCE);
      const {nodes = [], omitted = 0} = await change<Found>('POST', '/toc/nodes', {nodeIds: ids});
      if (omitted) return this.refreshAll();
      const found = new Set(nodes.map(node => node.nodeId));
      for (const id of ids) if (!found.has(id)) this.#remove(id);
      for (const node of nodes) this.#put(node);
    }
  }

  #remove(id: string): void {
    this.#nodes.delete(id);
    const siblings = this.#children.get(parentOf(id));
    if (siblings) siblings.ids = siblings.ids.filter(one => one !== id);
  }

  #put(node: TocNode): void {
    this.#nodes.set(node.nodeId, node);
    const siblings = this.#children.get(parentOf(node.nodeId));
    if (!siblings || siblings.ids.includes(node.nodeId)) return;
    const at = siblings.ids.findIndex(id => isBefore(node, this.#nodes.get(id)!));
    if (at >= 0) siblings.ids.splice(at, 0, node.nodeId);
    // Behind the last of a page that is not the last one, it comes with its own page.
    else if (siblings.next === undefined) siblings.ids.push(node.nodeId);
  }

  /** Loads everything again that is open. */
  refreshAll(): Promise<void> {
    return this.#again(new Set([ROOT, ...this.#open].filter(id => this.#children.has(id))));
  }

  /** Loads the children of nodes again. Those of several newest nodes take one call. */
  async #again(parents: Set<string>): Promise<void> {
    const together = [...parents].filter(id => this.#newest.has(id) && (this.#children.get(id)?.ids.length ?? 0) <= PAGE);
    if (together.length > 1) {
      await this.newest();
      for (const id of together) parents.delete(id);
    }
    for (const id of parents) await (id === ROOT ? this.roots() : this.#load(id));
  }

  /** Loads a node and its children again, as far as they were loaded. */
  async reload(id: string): Promise<void> {
    if (id === ROOT) return this.roots();
    const node = (await found(get<{node?: TocNode}>(nodePath(id))))?.node;
    if (node) this.#nodes.set(id, node);
    else this.#nodes.delete(id);
    if (this.#children.has(id) && node) await this.#load(id);
  }

  #load(id: string, token?: string): Promise<void> {
    const loading = this.#loading.get(id);
    if (loading) return loading;
    const limit = token ? PAGE : Math.max(PAGE, Math.min(1000, this.#children.get(id)?.ids.length ?? 0));
    const started = get<Browsed>(nodePath(id) + '/children', {limit, continuationToken: token}).then(({children = [], continuationToken}) => {
      this.#keep(id, children, continuationToken, token !== undefined);
    }).finally(() => this.#loading.delete(id));
    this.#loading.set(id, started);
    return started;
  }

  #keep(id: string, nodes: TocNode[], next: string | undefined, more = false): void {
    const known = this.#children.get(id)?.ids ?? [];
    const before = more ? known : [];
    if (!more) for (const gone of known) this.#nodes.delete(gone);
    for (const node of nodes) this.#nodes.set(node.nodeId, node);
    this.#children.set(id, {ids: [...before, ...nodes.map(node => node.nodeId)], next});
  }
}
