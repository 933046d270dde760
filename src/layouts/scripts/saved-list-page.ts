import type { Choice, ChoiceKind } from '../../islands/saved-lists/saved-lists-api.ts';
import { choices, isChosen } from '../../islands/saved-lists/saved-lists-state.ts';
import {
  choose,
  followChoices,
  fulfilWish,
  type Telling,
} from '../../islands/saved-lists/saved-list-actions.ts';
import { fetchWords, type WordFiles } from '../../islands/shared/load-messages.ts';
import { reader } from '../../islands/shared/translator.ts';

/*
 * What somebody keeps, follows and hides, on pages that are the same for everybody: the buttons say what holds for them,
 * and the lists leave out what they hide, with a way to see it all the same. choices.ts fetches it.
 */

const { lang } = document.documentElement;
const files = JSON.parse(
  document.querySelector<HTMLElement>('[data-choice-words]')?.dataset['choiceWords'] ?? '{}',
) as WordFiles<'choices' | 'errors'>;

async function fetchTelling(): Promise<Telling> {
  const texts = await fetchWords(files);
  return { lang, words: reader(lang, texts.choices), errors: reader(lang, texts.errors) } as Telling;
}

const all = (selector: string) => document.querySelectorAll<HTMLElement>(selector);

/** What a button or a group of them is about. */
function choiceOf({ dataset }: HTMLElement): Choice {
  const { choice, hideChoice, of = '', name = '' } = dataset;
  return { kind: (choice ?? hideChoice) as ChoiceKind, id: of, name };
}

function drawButtons(): void {
  const state = choices.$choices.get();
  for (const button of all('[data-choice]')) {
    const choice = choiceOf(button);
    button.ariaPressed = String(isChosen(state, choice) ?? false);
    if (choice.kind === 'favourite' || choice.kind === 'follow') void choices.ask(choice.kind, choice.id);
  }
  for (const group of all('[data-hide-choice]')) {
    const hidden = isChosen(state, choiceOf(group)) ?? false;
    const [hide, note, back] = group.children as unknown as [HTMLElement, HTMLElement, HTMLElement];
    const held = document.activeElement;
    [hide.hidden, note.hidden, back.hidden] = [hidden, !hidden, !hidden];
    // What was pressed gives way to its opposite.
    if (held === hide && hidden) back.focus();
    if (held === back && !hidden) hide.focus();
  }
  // Nobody follows or hides themselves.
  for (const part of all('[data-not-for]'))
    part.hidden = state.owner !== null && part.dataset['notFor'] === state.owner;
}

/** Says below each list how many are left out of it. */
function drawNotes({ words }: Telling): void {
  for (const list of all('[data-hides]')) {
    const note = list.nextElementSibling;
    const button = note?.matches('[data-hidden-note]') ? note.querySelector('button') : null;
    if (button === null || button === undefined) continue;
    const count = list.querySelectorAll(':scope > [data-away]').length;
    (note as HTMLElement).hidden = count === 0;
    button.ariaExpanded = String('shown' in list.dataset);
    const text = words('hiddenHere', { count });
    // Writing the same again would be told of as a change.
    if (button.textContent !== text) button.textContent = text;
  }
}

function press(target: Element, telling: Telling): void {
  const button = target.closest<HTMLElement>('[data-choice]');
  if (button !== null) void choose(choiceOf(button), button.ariaPressed !== 'true', telling);
  const group = target.closest<HTMLElement>('[data-hide-choice]');
  const way = target.closest<HTMLElement>('[data-hide], [data-show-again]');
  if (group !== null && way !== null) void choose(choiceOf(group), 'hide' in way.dataset, telling);
  const list = target.closest('[data-hidden-note] button')?.parentElement?.previousElementSibling;
  if (list?.matches('[data-hides]')) {
    list.toggleAttribute('data-shown');
    drawNotes(telling);
  }
}

/**
 * Follows what somebody chooses on this page.
 * @returns does what was pressed, unless that is nothing of this
 * @throws when the words do not come; it can be asked for again
 */
export async function followPage(): Promise<(target: Element) => void> {
  const telling = await fetchTelling();
  choices.$choices.subscribe(({ owner, hidden }) => {
    // Before it is known who is here, what this device knows stays as it is.
    if (owner !== null) window.hideCards?.use(hidden);
    drawButtons();
  });
  addEventListener('loreloom:marked', () => drawNotes(telling));
  drawNotes(telling);
  // The page may be drawn anew for whoever is here: its parts come and go.
  document.addEventListener('loreloom:drawn', drawButtons);
  followChoices();
  void fulfilWish(telling);
  return (target) => press(target, telling);
}
