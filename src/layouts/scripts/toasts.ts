import {
  $toastOffset,
  $toasts,
  dismissToast,
  showToast,
  type Toast,
} from '../../islands/shared/toasts-state.ts';
import { dequeueFlashToast } from '../../islands/shared/flash-toast.ts';
import { cloneTemplate, queryPart } from './dom.ts';

/**
 * Dismisses a toast after its duration; pauses while the pointer moves over it or the focus is inside. A resting
 * pointer does not pause it.
 */
function dismissAfterDelay(element: HTMLElement, { id, durationMs }: Toast): void {
  let remainingMs = durationMs;
  let startedAt = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const holders = new Set<'pointer' | 'focus'>();
  const startTimer = () => {
    startedAt = Date.now();
    timer = setTimeout(() => dismissToast(id), remainingMs);
  };
  const hold = (holder: 'pointer' | 'focus') => {
    if (holders.size === 0) {
      clearTimeout(timer);
      remainingMs -= Date.now() - startedAt;
    }
    holders.add(holder);
  };
  const release = (holder: 'pointer' | 'focus') => {
    if (holders.delete(holder) && holders.size === 0) startTimer();
  };
  element.addEventListener('pointermove', () => hold('pointer'));
  element.addEventListener('pointerleave', () => release('pointer'));
  element.addEventListener('focusin', () => hold('focus'));
  element.addEventListener('focusout', () => release('focus'));
  startTimer();
}

function renderToast(toast: Toast): HTMLElement {
  const element = cloneTemplate('toast');
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
      action.run();
    });
  }
  close.addEventListener('click', () => dismissToast(toast.id));
  dismissAfterDelay(element, toast);
  return element;
}

/**
 * Renders `$toasts` for the whole page. The four live regions exist from the start, because a region added with
 * its text is not announced.
 */
export function setUpToasts(): void {
  // Code that failed to load cannot bring its own text, so the page contains it.
  window.addEventListener('loreloom:network-trouble', () =>
    showToast({ text: queryPart('template="toast"').dataset['network'] ?? '', kind: 'danger' }),
  );
  const lower = queryPart('toasts="bottom-left state"').parentElement as HTMLElement;
  $toastOffset.subscribe((height) => {
    lower.style.insetBlockEnd = height > 0 ? `calc(${height}px + 0.5rem)` : '';
  });
  const drawn = new Map<number, HTMLElement>();
  $toasts.subscribe((toasts) => {
    const visibleIds = new Set(toasts.map(({ id }) => id));
    for (const [id, element] of drawn) {
      if (visibleIds.has(id)) continue;
      element.remove();
      drawn.delete(id);
    }
    for (const toast of toasts) {
      if (drawn.has(toast.id)) continue;
      const element = renderToast(toast);
      drawn.set(toast.id, element);
      queryPart(`toasts="${toast.position} ${toast.kind}"`).appendChild(element);
    }
  });
  const flashed = dequeueFlashToast();
  if (flashed !== null) showToast({ text: flashed });
}
