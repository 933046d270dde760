import { useStore } from '@nanostores/react';
import { useId } from 'react';
import { mergeDefinition, selectSharedParts } from '../../features/character/definition-parts.ts';
import { type Tag, TAGS } from '../../features/character/limits.ts';
import { useTranslate } from '../shared/i18n.tsx';
import { $session } from '../shared/session-state.ts';
import { SECONDARY } from '../shared/styles.ts';
import { characterForm } from './character-form.ts';
import type { CharacterFields } from './form-rules.ts';
import { FreeTagsField } from './fields/FreeTagsField.tsx';
import { RadioGroup } from './fields/RadioGroup.tsx';
import { getFieldId } from './fields/field-focus.ts';
import { useCharacterForm } from './use-field-errors.ts';

const VISIBILITIES = ['public', 'unlisted', 'private'] as const;

/** Who may download what: only the creator, anyone the card without its definition, or accounts its open parts, too. */
function getDownload({
  visibility,
  definition,
}: Pick<CharacterFields, 'visibility' | 'definition'>): 'own' | 'card' | 'shared' {
  if (visibility === 'private') return 'own';
  return selectSharedParts(mergeDefinition(definition, undefined)) === null ? 'card' : 'shared';
}

/** Names of the tags in the page's language. */
export type TagNames = Readonly<Record<Tag, string>>;

/** Tags, visibility and adult content. @param hasSpicy whether this site allows adult content */
export function VisibilitySection({ hasSpicy, tagNames }: { hasSpicy: boolean; tagNames: TagNames }) {
  const words = useTranslate('create');
  const { fields } = useCharacterForm();
  return (
    <>
      <TagField names={tagNames} />
      <FreeTagsField />
      <RadioGroup
        name="visibility"
        label={words('visibilityLabel')}
        note={words(`visibilityDownload_${getDownload(fields)}`)}
        choices={VISIBILITIES.map((value) => ({
          value,
          label: words(`visibility_${value}`),
          note: words(
            value === 'public' && !hasSpicy ? 'visibility_publicNoteNoAdults' : `visibility_${value}Note`,
          ),
        }))}
        chosen={fields.visibility}
        choose={(visibility) => characterForm.write({ visibility })}
      />
      {hasSpicy || fields.nsfw_allowed ? <NsfwField hasSpicy={hasSpicy} /> : null}
    </>
  );
}

function TagField({ names }: { names: TagNames }) {
  const words = useTranslate('create');
  const { tags } = useCharacterForm().fields;
  return (
    <fieldset className="form-field">
      <legend>
        {words('tagsLabel')} <span className="quiet">{words('optionalBadge')}</span>
      </legend>
      <div className="tag-choices">
        {TAGS.map((tag) => (
          <label key={tag} className="chip">
            <input
              type="checkbox"
              checked={tags.includes(tag)}
              onChange={({ target }) =>
                characterForm.write({
                  tags: TAGS.filter((one) => (one === tag ? target.checked : tags.includes(one))),
                })
              }
            />
            {names[tag]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The shell handles the switch: it asks for the required confirmation and reloads the page. */
const toggleSpicyMode = () => window.dispatchEvent(new CustomEvent('loreloom:spicy'));

/**
 * Whether conversations with the character may become explicit. Only creators with spicy mode on can turn this on. On a
 * site without adult content it is shown for older characters, to turn it off.
 */
function NsfwField({ hasSpicy }: { hasSpicy: boolean }) {
  const words = useTranslate('create');
  const { fields, kept } = useCharacterForm();
  const { nsfw_allowed: on } = fields;
  const spicy = useStore($session, { ssr: 'initial' }).auth?.user?.spicy_mode === true;
  const field = getFieldId('nsfw_allowed');
  const id = useId();
  // Turning it off is always allowed.
  const locked = !spicy && !on;
  return (
    <div className="form-field">
      <button
        type="button"
        id={field}
        role="switch"
        aria-checked={on}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-note ${id}-off`}
        aria-disabled={locked}
        className="switch"
        onClick={() => locked || characterForm.write({ nsfw_allowed: !on })}
      >
        <span id={`${id}-label`}>{words(hasSpicy ? 'adultsLabel' : 'explicitLabel')}</span>
        <span className="switch-track" />
      </button>
      <p id={`${id}-note`} className="form-note">
        {words(hasSpicy ? 'adultsNote' : 'explicitNote')}
      </p>
      <p id={`${id}-off`} className="form-note">
        {spicy || !hasSpicy ? null : words('adultsNeedsSpicyMode')}
      </p>
      {hasSpicy && !on && kept?.looks_sexual === true ? (
        <p role="status" className="form-note">
          {words('adultsSuggestion')}
        </p>
      ) : null}
      {spicy || !hasSpicy ? null : (
        <button type="button" className={SECONDARY} onClick={toggleSpicyMode}>
          {words('adultsTurnOnSpicyMode')}
        </button>
      )}
    </div>
  );
}
