import type { Language } from '../../../config/languages.ts';
import type {
  Suggestion,
  SuggestionList,
} from '../../../features/character/discovery/suggestion-contract.ts';
import { client, readJson } from '../../../islands/shared/api.ts';
import { fetchDictionary, type DictionaryUrls } from '../../../islands/shared/load-messages.ts';
import { $session } from '../../../islands/shared/session-state.ts';
import { createTranslator } from '../../../islands/shared/translator.ts';
import { queryPart } from '../dom.ts';
import { querySection, showFailure, type Translate } from './loaded-section.ts';

/** Characters in the row, which has room for as many on wide screens. */
const SUGGESTED_CHARACTERS = 6;

/** The texts for each way in which the user chose the character that has the same tag. */
const CHOICE_REASONS = {
  liked: 'because_liked',
  favourite: 'because_favourite',
  chatted: 'because_chatted',
} as const;

/** Words why a character is suggested. */
export function describeReason(
  { character, reason }: Suggestion,
  translate: Translate,
  lang: string,
): string {
  switch (reason.kind) {
    case 'tag':
      return translate(CHOICE_REASONS[reason.because], { name: reason.character.name });
    case 'creator':
      return reason.character === null
        ? translate('because_followed', { name: character.creator.name })
        : translate('because_creator', { name: reason.character.name });
    case 'popular':
      return translate(reason.language === lang ? 'popularInLanguage' : 'popular');
  }
}

/** Fills the row of suggestions. If the user wants no personal ones, its heading says so. */
export async function showSuggestions(translate: Translate): Promise<void> {
  const { lang } = document.documentElement;
  const { section, list, note } = querySection('suggested');
  const query = { language: lang as Language, limit: String(SUGGESTED_CHARACTERS) };
  const answer = await readJson<SuggestionList>(client.characters['for-you'].$get({ query }));
  if (!answer.ok) {
    const retry = () => void showSuggestions(translate);
    return showFailure(note, translate('suggestionsFailed'), translate, retry);
  }
  const { personal, items } = answer.data;
  const heading = section.querySelector('h2') as HTMLElement;
  if (!personal) heading.textContent = translate('suggestionsPopular');
  const { content } = section.querySelector('template') as HTMLTemplateElement;
  const cards = items.map((suggestion) => {
    const { character } = suggestion;
    const item = (content.cloneNode(true) as DocumentFragment).firstElementChild as HTMLElement;
    const link = item.firstElementChild as HTMLAnchorElement;
    link.href = `/${lang}/character-info/${encodeURIComponent(character.id)}`;
    Object.assign(link.dataset, { creator: character.creator.id, tags: character.tags.join(' ') });
    (link.querySelector('img') as HTMLImageElement).src = character.avatar_url;
    const name = link.querySelector('.name') as HTMLElement;
    name.textContent = character.name;
    if (character.language !== null) name.lang = character.language;
    (link.querySelector('.oneliner') as HTMLElement).textContent = describeReason(
      suggestion,
      translate,
      lang,
    );
    return item;
  });
  list.replaceChildren(...cards);
  note.textContent = cards.length > 0 ? '' : translate('suggestionsEmpty');
}

/**
 * Fills the row of suggestions once the session is known. A page that was first painted for a visitor has no room for it.
 * @throws if the texts fail to load; the row then stays empty
 */
export async function setUpSuggestions(): Promise<void> {
  const { lang, dataset } = document.documentElement;
  if (dataset['whoFirst'] === 'visitor') return;
  const urls = JSON.parse(queryPart('suggested').dataset['texts'] ?? '{}') as DictionaryUrls<'returning'>;
  const translate = createTranslator(lang, (await fetchDictionary(urls)).returning);
  let isLoaded = false;
  $session.subscribe(({ auth }) => {
    if (isLoaded || !auth?.user) return;
    isLoaded = true;
    void showSuggestions(translate);
  });
}
