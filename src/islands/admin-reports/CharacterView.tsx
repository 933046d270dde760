import { useStore } from '@nanostores/react';
import { useState, type ReactNode } from 'react';
import { DEFINITION_PARTS } from '../../features/character/definition-parts.ts';
import type { CaseCharacter } from '../../features/moderation/report-contract.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { useTranslate } from '../shared/i18n.tsx';
import { SECONDARY } from '../shared/styles.ts';
import { adminQueues } from './admin-reports-state.ts';
import { CaseLoadError, CaseSection, QuotedText } from './case-components.tsx';

/** The character of a case, with all of its texts. */
export function CharacterView({ character }: { character: CaseCharacter }) {
  const words = useTranslate('adminReports');
  const [picture, setPicture] = useState(false);
  const { name, moderation, visibility, nickname, summary, picture_url: url } = character;
  return (
    <CaseSection title={words('characterTitle')}>
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-serif text-[length:var(--step-1)]">{sanitizeText(name)}</span>
        {visibility === 'public' ? null : <span className="badge">{words('notPublic')}</span>}
        {moderation === 'shown' ? null : (
          <span className="badge border-danger text-danger">{words(moderation)}</span>
        )}
      </p>
      <QuotedText text={character.oneliner} />
      <QuotedText text={character.character_traits} />
      {character.first_message === '' ? null : <QuotedText text={character.first_message} />}
      <LabelledTexts label={words('characterNickname')} texts={nickname === null ? [] : [nickname]} />
      <LabelledTexts label={words('characterFirstMessages')} texts={character.alternate_greetings} />
      <LabelledTexts
        label={words('characterAuthorNote')}
        texts={character.recommended_note === '' ? [] : [character.recommended_note]}
      />
      <LabelledTexts label={words('characterSuggestedReplies')} texts={character.suggested_replies} />
      <LabelledTexts label={words('toldAbout')} texts={character.about === '' ? [] : [character.about]} />
      <LabelledTexts label={words('characterSummary')} texts={summary === null ? [] : [summary]} />
      {DEFINITION_PARTS.map((part) => {
        const text = character.definition[part];
        return text === undefined ? null : (
          <LabelledTexts key={part} label={words(`definitionPart_${part}`)} texts={[text]} />
        );
      })}
      {character.lorebook_texts === 0 ? null : <LorebookView character={character} />}
      {url === null ? null : picture ? (
        <div className="flex flex-wrap gap-3">
          <img
            src={url}
            alt={words('pictureNamed', { name: sanitizeText(name) })}
            className="max-h-96 max-w-full self-start rounded-sm border border-line"
          />
          <img
            src={`${url}?size=list`}
            alt={words('pictureInLists')}
            className="max-h-48 max-w-full self-start rounded-sm border border-line"
          />
        </div>
      ) : (
        <button type="button" className={`${SECONDARY} self-start`} onClick={() => setPicture(true)}>
          {words('pictureOpen')}
        </button>
      )}
    </CaseSection>
  );
}

/** Texts under a label; renders nothing if there are none. */
function LabelledTexts({
  label,
  texts,
  children,
}: {
  label: string;
  texts: readonly string[];
  children?: ReactNode;
}) {
  if (texts.length === 0 && children === undefined) return null;
  return (
    <>
      <h3 className="mt-2 text-sm text-text-quiet">{label}</h3>
      {texts.length === 0 ? null : (
        <ul className="rows">
          {texts.map((text, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- texts have no id; the list does not change
            <li key={index}>
              <QuotedText text={text} />
            </li>
          ))}
        </ul>
      )}
      {children}
    </>
  );
}

/** The lorebook, loaded page by page on request because it may be long. */
function LorebookView({ character: { id } }: { character: CaseCharacter }) {
  const words = useTranslate('adminReports');
  const { lore } = useStore(adminQueues.$state, { ssr: 'initial' });
  const open = lore?.id === id ? lore : null;
  const more = () => void adminQueues.loadMoreLore(id);
  return (
    <LabelledTexts label={words('characterLorebook')} texts={open?.texts ?? []}>
      {open?.status === 'loading' ? (
        <p role="status" className="text-text-quiet">
          {words('loading')}
        </p>
      ) : open?.status === 'failed' ? (
        <CaseLoadError again={more} />
      ) : open !== null && open.next === null ? null : (
        <button type="button" className={`${SECONDARY} self-start`} onClick={more}>
          {words(open === null ? 'lorebookOpen' : 'lorebookShowMore')}
        </button>
      )}
    </LabelledTexts>
  );
}
