import {
  createContext,
  use,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import type { IconName } from '../../components/icon-paths.ts';
import { Icon } from '../shared/ui/Icon.tsx';
import { isRepeatedPress, recordOpeningPress } from '../shared/ui/ignore-double-click.ts';
import { ICON } from '../shared/styles.ts';
import { isPlainClick, rememberFocus, useRestoreFocus } from './restore-focus.ts';

/** An item of a menu: a link or an action. */
export type MenuEntry = {
  icon: IconName;
  label: string;
  /** A second line under the label, such as the price. */
  note?: string;
  disabled?: boolean;
  /** Show it only on narrow screens, where the bar has no room for it. */
  narrowOnly?: boolean;
  /** Leave it out on phones, which have no keyboard. */
  keyboardOnly?: boolean;
  /** It deletes something. */
  isDanger?: boolean;
  /** Draw a separator above it. */
  startsGroup?: boolean;
} & ({ href: string } | { choose: () => void });

/** What the items of a menu need of it. */
const MenuContext = createContext<{ label: string; close: () => void }>({ label: '', close: () => {} });

/**
 * The look of an item. Exported because the gallery draws items with it: an open menu cannot be rendered on the server.
 */
export const ITEM =
  'flex min-h-11 w-full items-center gap-3 px-4 py-2 text-start text-base text-text enabled:hover:bg-surface-2 focus:bg-surface-2 focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent disabled:cursor-not-allowed disabled:opacity-50 [a&]:hover:bg-surface-2';

/**
 * A button and its menu, following the ARIA menu button pattern: arrow keys, Home, End and a first letter move the focus,
 * Escape and Tab close the menu, and closing returns focus to the button.
 */
export function Menu({
  label,
  children,
  icon = 'more',
  place: position = 'below',
  busy = false,
}: {
  label: string;
  /** Its items ({@link MenuItems}). */
  children: ReactNode;
  icon?: IconName;
  /** Opens below the button, aligned to its end, or above it, aligned to its start. */
  place?: 'below' | 'above';
  /** The last chosen action is still running. */
  busy?: boolean;
}) {
  const [open, setOpen] = useState<'first' | 'last' | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();
  useRestoreFocus(label, button);

  const close = useCallback(() => {
    setOpen(null);
    button.current?.focus();
  }, []);
  const scope = useMemo(() => ({ label, close }), [label, close]);
  useLayoutEffect(() => {
    if (open !== null)
      listMenuItems(menu.current)
        .at(open === 'first' ? 0 : -1)
        ?.focus();
  }, [open]);
  useEffect(() => {
    if (open === null) return;
    const onOutsideEvent = ({ target }: Event) => {
      const inside = menu.current?.contains(target as Node) || button.current?.contains(target as Node);
      if (!inside) setOpen(null);
    };
    // A page restored from the back/forward cache must not show an open menu.
    const onPageHide = () => setOpen(null);
    document.addEventListener('pointerdown', onOutsideEvent);
    document.addEventListener('focusin', onOutsideEvent);
    window.addEventListener('pagehide', onPageHide);
    return () => {
      document.removeEventListener('pointerdown', onOutsideEvent);
      document.removeEventListener('focusin', onOutsideEvent);
      window.removeEventListener('pagehide', onPageHide);
    };
  }, [open]);

  const onMenuKey = (event: KeyboardEvent) => {
    // Focus the button first, so that Tab moves on to the element after the menu.
    if (event.key === 'Tab') return close();
    if (event.key === 'Escape') close();
    else if (!moveFocus(menu.current, event)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div className="relative">
      <button
        ref={button}
        type="button"
        className={`${ICON} ${icon === 'more' ? '[&_path]:stroke-3' : ''}`}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-busy={busy}
        aria-expanded={open !== null}
        aria-controls={open === null ? undefined : id}
        onClick={(event) => {
          if (open === null) {
            recordOpeningPress(event);
            setOpen('first');
          } else if (!isRepeatedPress(event)) setOpen(null);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          setOpen(event.key === 'ArrowDown' ? 'first' : 'last');
        }}
      >
        <Icon name={icon} size={icon === 'more' ? 24 : 20} />
      </button>
      {open === null ? null : (
        <div
          ref={menu}
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          onKeyDown={onMenuKey}
          className={`absolute z-30 max-h-[calc(100dvh-5rem)] w-max max-w-[min(20rem,calc(100vw-1.5rem))] min-w-56 overflow-y-auto overscroll-contain rounded-md border border-line bg-surface py-1 [box-shadow:var(--lift)] ${position === 'below' ? 'end-0 top-full mt-1' : 'start-0 bottom-full mb-1'}`}
        >
          <MenuContext value={scope}>{children}</MenuContext>
        </div>
      )}
    </div>
  );
}

/** The items of the surrounding menu. Drawn only while it is open, so that a closed menu costs nothing. */
export function MenuItems({ entries }: { entries: readonly MenuEntry[] }) {
  const { label, close } = use(MenuContext);
  return entries.map((entry) => {
    const inside = (
      <>
        <span className={entry.isDanger ? '' : 'text-text-quiet'}>
          <Icon name={entry.icon} />
        </span>
        <span className="min-w-0 break-words">
          {entry.label}
          {entry.note === undefined ? null : (
            <span className="block text-sm text-text-quiet">{entry.note}</span>
          )}
        </span>
      </>
    );
    const className = `${ITEM} ${entry.isDanger ? 'text-danger!' : ''} ${entry.narrowOnly ? 'md:hidden' : ''} ${entry.keyboardOnly ? 'max-md:pointer-coarse:hidden' : ''} ${entry.startsGroup ? 'not-first:border-t not-first:border-line' : ''}`;
    return 'href' in entry ? (
      <a
        key={entry.icon}
        role="menuitem"
        tabIndex={-1}
        href={entry.href}
        className={className}
        onClick={(event) => {
          if (isRepeatedPress(event)) return event.preventDefault();
          // Focus the button, so that focus is there when the user comes back to this page.
          close();
          if (isPlainClick(event)) rememberFocus(label);
        }}
      >
        {inside}
      </a>
    ) : (
      <button
        key={entry.icon}
        type="button"
        role="menuitem"
        tabIndex={-1}
        disabled={entry.disabled}
        className={className}
        onClick={(event) => {
          if (isRepeatedPress(event)) return;
          // A dialog returns focus to the element that had it on opening, so focus the button first.
          close();
          entry.choose();
        }}
      >
        {inside}
      </button>
    );
  });
}

/** The items that can take focus now: enabled and visible, in order. */
export function listMenuItems(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]:not(:disabled)') ?? [])].filter(
    (item) => item.offsetParent !== null,
  );
}

/**
 * Moves the focus according to the key.
 * @returns whether the menu handles the key
 */
export function moveFocus(
  menu: HTMLElement | null,
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
): boolean {
  if (ctrlKey || metaKey || altKey) return false;
  const items = listMenuItems(menu);
  const at = items.indexOf(document.activeElement as HTMLElement);
  if (key === ' ') {
    items[at]?.click();
    return true;
  }
  const next =
    key === 'ArrowDown'
      ? items[(at + 1) % items.length]
      : key === 'ArrowUp'
        ? items.at(at <= 0 ? -1 : at - 1)
        : key === 'Home'
          ? items[0]
          : key === 'End'
            ? items.at(-1)
            : filterByLetter(key, [...items.slice(at + 1), ...items.slice(0, at + 1)]);
  next?.focus();
  return next !== undefined;
}

function filterByLetter(key: string, items: readonly HTMLElement[]): HTMLElement | undefined {
  if ([...key].length !== 1) return undefined;
  const letter = key.toLocaleLowerCase();
  return items.find((item) => item.textContent?.trim().toLocaleLowerCase().startsWith(letter));
}
