import {
  $keptClear,
  $toasts,
  dismissToast,
  showToast,
  type Toast,
} from '../../islands/shared/toasts-state.ts';
import { toldByLastPage } from '../../islands/shared/flash-toast.ts';
import { fresh, part } from './dom.ts';

/**
 * Counts a toast's time down, and stands still while someone moves over it or is inside it. A pointer that only happens
 * to lie where it appears does not hold it.
 */
function dismissInTime(element: HTMLElement, { id, durationMs }: Toast): void {
  let left = durationMs;
  let since = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const holders = new Set<'pointer' | 'focus'>();
  const go = () => {
    since = Date.now();
    timer = setTimeout(() => dismissToast(id), left);
  };
  const hold = (holder: 'pointer' | 'focus') => {
    if (holders.size === 0) {
      clearTimeout(timer);
      left -= Date.now() - since;
    }
    holders.add(holder);
  };
  const release = (holder: 'pointer' | 'focus') => {
    if (holders.delete(holder) && holders.size === 0) go();
  };
  element.addEventListener('pointermove', () => hold('pointer'));
  element.addEventListener('pointerleave', () => release('pointer'));
  element.addEventListener('focusin', () => hold('focus'));
  element.addEventListener('focusout', () => release('focus'));
  go();
}

function drawToast(toast: Toast): HTMLElement {
  const element = fresh('toast');
  element.dataset['kind'] = toast.kind;
  (element.querySelector('p') as HTMLElement).textContent = toast.text;
  const [act, close] = element.querySelectorAll('button') as unknown as [
    HTMLButtonElement,
    HTMLButtonElement,
  ];
  const { action } = toast;
  act.hidden = !action;
  if (action) {
    act.textContent = action.label;
    act.addEventListener('click', () => {
      dismissToast(toast.id);
      action.act();
    });
  }
  close.addEventListener('click', () => dismissToast(toast.id));
  dismissInTime(element, toast);
  return element;
}

/**
 * Draws `$toasts` for the whole page, whoever shows one. Four live regions stand in the page from the start, because
 * a region that comes with its words is not read out.
 */
export function wireToasts(): void {
  // What could not be fetched cannot bring its own words: they stand in the page.
  window.addEventListener('loreloom:network-trouble', () =>
    showToast({ text: part('template="toast"').dataset['network'] ?? '', kind: 'harm' }),
  );
  const lower = part('toasts="bottom-left state"').parentElement as HTMLElement;
  $keptClear.subscribe((height) => {
    lower.style.insetBlockEnd = height > 0 ? `calc(${height}px + 0.5rem)` : '';
  });
  const drawn = new Map<number, HTMLElement>();
  $toasts.subscribe((toasts) => {
    const standing = new Set(toasts.map(({ id }) => id));
    for (const [id, element] of drawn) {
      if (standing.has(id)) continue;
      element.remove();
      drawn.delete(id);
    }
    for (const toast of toasts) {
      if (drawn.has(toast.id)) continue;
      const element = drawToast(toast);
      drawn.set(toast.id, element);
      part(`toasts="${toast.place} ${toast.kind}"`).appendChild(element);
    }
  });
  const told = toldByLastPage();
  if (told !== null) showToast({ text: told });
}
