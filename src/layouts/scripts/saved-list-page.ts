import type { ChosenKind, SavedItem, SavedItemKind } from '../../islands/saved-lists/saved-lists-api.ts';
import { countLikes, savedLists, isSaved } from '../../islands/saved-lists/saved-lists-state.ts';
import {
  choose,
  syncWithSession,
  resumePendingAction,
  type ActionMessages,
} from '../../islands/saved-lists/saved-list-actions.ts';
import { fetchDictionary, type DictionaryUrls } from '../../islands/shared/load-messages.ts';
import { createTranslator } from '../../islands/shared/translator.ts';

/*
 * Favourites, likes, follows and hidden items on pages that are the same for all visitors: sets the state of the buttons, and
 * notes in lists how many cards are hidden. saved-lists.ts loads this script.
 */

const { lang } = document.documentElement;
const messageUrls = JSON.parse(
  document.querySelector<HTMLElement>('[data-choice-words]')?.dataset['choiceWords'] ?? '{}',
) as DictionaryUrls<'choices' | 'errors'>;

async function loadMessages(): Promise<ActionMessages> {
  const texts = await fetchDictionary(messageUrls);
  return {
    lang,
    words: createTranslator(lang, texts.choices),
    errors: createTranslator(lang, texts.errors),
  } as ActionMessages;
}

const queryAll = (selector: string) => document.querySelectorAll<HTMLElement>(selector);

/** The number as the page has it (SavedListButton.astro); nothing for none. */
const formatLikes = (likes: number): string => (likes > 0 ? likes.toLocaleString(lang) : '');

/** The item of a button or group. */
function getChoice({ dataset }: HTMLElement): SavedItem {
  const { choice, hideChoice, of = '', name = '' } = dataset;
  return { kind: (choice ?? hideChoice) as SavedItemKind, id: of, name };
}

function renderButtons(): void {
  const state = savedLists.$state.get();
  for (const button of queryAll('[data-choice]')) {
    const choice = getChoice(button);
    button.ariaPressed = String(isSaved(state, choice) ?? false);
    void savedLists.loadSaved(choice.kind as ChosenKind, choice.id);
    const count = button.querySelector('[data-count]');
    const likes = countLikes(state, choice.id);
    if (count !== null && likes !== undefined) count.textContent = formatLikes(likes);
  }
  for (const group of queryAll('[data-hide-choice]')) {
    const hidden = isSaved(state, getChoice(group)) ?? false;
    const [hide, note, back] = group.children as unknown as [HTMLElement, HTMLElement, HTMLElement];
    const focused = document.activeElement;
    [hide.hidden, note.hidden, back.hidden] = [hidden, !hidden, !hidden];
    // The pressed button is replaced by its opposite, so move the focus.
    if (focused === hide && hidden) back.focus();
    if (focused === back && !hidden) hide.focus();
  }
  // Users cannot follow or hide themselves.
  for (const part of queryAll('[data-not-for]'))
    part.hidden = state.owner !== null && part.dataset['notFor'] === state.owner;
}

/** Shows below each list how many of its cards are hidden. */
function renderHiddenNotes({ words }: ActionMessages): void {
  for (const list of queryAll('[data-hides]')) {
    const note = list.nextElementSibling;
    const button = note?.matches('[data-hidden-note]') ? note.querySelector('button') : null;
    if (button === null || button === undefined) continue;
    const count = list.querySelectorAll(':scope > [data-away]').length;
    (note as HTMLElement).hidden = count === 0;
    button.ariaExpanded = String('shown' in list.dataset);
    const text = words('hiddenCount', { count });
    // Setting the same text again would announce it as a change.
    if (button.textContent !== text) button.textContent = text;
  }
}

function handlePress(target: Element, messages: ActionMessages): void {
  const button = target.closest<HTMLElement>('[data-choice]');
  if (button !== null) void choose(getChoice(button), button.ariaPressed !== 'true', messages);
  const group = target.closest<HTMLElement>('[data-hide-choice]');
  const control = target.closest<HTMLElement>('[data-hide], [data-show-again]');
  if (group !== null && control !== null) void choose(getChoice(group), 'hide' in control.dataset, messages);
  const list = target.closest('[data-hidden-note] button')?.parentElement?.previousElementSibling;
  if (list?.matches('[data-hides]')) {
    list.toggleAttribute('data-shown');
    renderHiddenNotes(messages);
  }
}

/**
 * Sets up saved lists on this page.
 * @returns handles a click; ignores elements without an action
 * @throws if the translations fail to load; may be called again
 */
export async function setUpSavedLists(): Promise<(target: Element) => void> {
  const messages = await loadMessages();
  savedLists.$state.subscribe(({ owner, hidden }) => {
    // Until the user is known, keep what this device knows.
    if (owner !== null) window.hideCards?.use(hidden);
    renderButtons();
  });
  addEventListener('loreloom:marked', () => renderHiddenNotes(messages));
  renderHiddenNotes(messages);
  // The page's content may be replaced after the session is known.
  document.addEventListener('loreloom:drawn', renderButtons);
  syncWithSession();
  void resumePendingAction(messages);
  return (target) => handlePress(target, messages);
}
