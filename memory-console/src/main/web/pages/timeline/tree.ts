// What is known of the table of contents: loaded when a node is opened.

import {found, get} from '../../lib/api.ts';
import {isSegment, nodePath, type TocNode} from './nodes.ts';

interface Browsed {
  children?: TocNode[];
  continuationToken?: string;
}

interface Children {
  ids: string[];
  /** For the next page; absent when all are there. */
  next?: string | undefined;
}

const PAGE = 200;
const ROOT = '';

/** The nodes that were loaded, and which of them are open. */
export class Tree {
  readonly #nodes = new Map<string, TocNode>();
  readonly #children = new Map<string, Children>();
  readonly #loading = new Map<string, Promise<void>>();
  readonly #open = new Set<string>();

  node(id: string): TocNode | undefined {
    return this.#nodes.get(id);
  }

  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  /** The nodes that are open. */
  opened(): string[] {
    return [...this.#open];
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
    const {nodes = []} = await get<{nodes?: TocNode[]}>('/toc');
    this.#keep(ROOT, nodes, undefined);
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
    for (const node of nodes) this.#nodes.set(node.nodeId, node);
    const before = more ? (this.#children.get(id)?.ids ?? []) : [];
    this.#children.set(id, {ids: [...before, ...nodes.map(node => node.nodeId)], next});
  }
}
