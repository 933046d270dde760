import { $session } from '../../islands/shared/session-state.ts';
import { openSignIn } from '../../islands/sign-in/sign-in-state.ts';

/*
 * The closed section with a character's definition. Only accounts may read it, so it is not part of the public page: it
 * is loaded when a reader opens the section. Most readers never do, so the script that renders it is loaded then, too.
 */

const SECTION = 'details[data-definition]';

/** Counts the requests: of overlapping ones the latest counts. */
let latest = 0;

/** Shows what belongs to a step and hides the rest. A pressed button that is hidden passes the focus on to the summary. */
function showStep(section: HTMLElement, step: string): void {
  const hadFocus = section.contains(document.activeElement);
  section.dataset['step'] = step;
  for (const element of section.querySelectorAll<HTMLElement>('[data-steps]'))
    element.hidden = !element.dataset['steps']?.split(' ').includes(step);
  if (hadFocus) section.querySelector('summary')?.focus({ preventScroll: true });
}

async function load(section: HTMLElement): Promise<void> {
  const request = (latest += 1);
  showStep(section, 'loading');
  const step = await import('./definition-section.ts').then(
    ({ loadDefinition }) => loadDefinition(section),
    () => 'network',
  );
  if (request === latest) showStep(section, step);
}

/** Loads the definition of an open section, unless it is there or on its way. */
function loadIfOpen(section: Element | null): void {
  if (!(section instanceof HTMLDetailsElement) || !section.open) return;
  if (!['loading', 'ready', 'empty'].includes(section.dataset['step'] ?? '')) void load(section);
}

// Listen on the document, because the page's content may be replaced after the session is known.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (target instanceof HTMLElement && target.matches(SECTION)) loadIfOpen(target);
  },
  true,
);
document.addEventListener('click', ({ target }) => {
  if (!(target instanceof Element)) return;
  if (target.closest('[data-definition-sign-in]') !== null) openSignIn({ reason: 'required' });
  if (target.closest('[data-definition-retry]') !== null) loadIfOpen(target.closest(SECTION));
});
// A visitor who logs in on this page may read the definition now.
$session.listen(({ auth }) => {
  if (!auth?.user || auth.user.is_anonymous) return;
  const section = document.querySelector<HTMLElement>(SECTION);
  if (section?.dataset['step'] === 'sign_in') loadIfOpen(section);
});
// The reader may have opened it before this script ran.
loadIfOpen(document.querySelector(SECTION));
