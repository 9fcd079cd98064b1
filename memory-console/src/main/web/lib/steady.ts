// Keeps what is being read where it is while something is added above it.

/**
 * Changes a page and then scrolls by as much as the item moved that is read: the one with the focus if
 * it is in the window, else the first one that is in the window.
 *
 * @param items matches the items
 * @param change returns when the page shows the change
 */
export async function steady(within: HTMLElement, items: string, change: () => Promise<unknown>): Promise<void> {
  const anchor = anchorOf(within, items);
  const before = anchor?.getBoundingClientRect().top ?? 0;
  await change();
  if (!anchor?.isConnected) return;
  const moved = anchor.getBoundingClientRect().top - before;
  if (Math.abs(moved) >= 1) scrollBy({top: moved, behavior: 'instant'});
}

function anchorOf(within: HTMLElement, items: string): HTMLElement | undefined {
  const inWindow = (element: HTMLElement): boolean => {
    const {top} = element.getBoundingClientRect();
    return top >= 0 && top < innerHeight;
  };
  const focused = (document.activeElement as HTMLElement | null)?.closest<HTMLElement>(items);
  if (focused && within.contains(focused) && inWindow(focused)) return focused;
  return [...within.querySelectorAll<HTMLElement>(items)].find(inWindow);
}
