import { useDeferredValue, useEffect, useId, useMemo, useState } from 'react';
import {
  type Definition,
  DEFINITION_PARTS,
  type DefinitionPart,
  MAX_PART_CHARS,
  selectPromptParts,
} from '../../features/character/definition-parts.ts';
import type { ModelList, ModelType } from '../../features/model/contract.ts';
import { estimateTokens } from '../../features/model/estimate-tokens.ts';
import {
  computeDefinitionBudget,
  fitDefinition,
  type FittedDefinition,
  prepareParts,
} from '../../features/conversation/prompt/fit-definition.ts';
import { useTranslate } from '../shared/i18n.tsx';
import { Icon } from '../shared/ui/Icon.tsx';
import { characterForm } from './character-form.ts';
import { getFieldId } from './fields/field-focus.ts';
import { TextField } from './fields/TextField.tsx';
import { formApi } from './form-api.ts';
import { useCharacterForm, useFieldError } from './use-field-errors.ts';

/** Parts whose labels say what they are for. */
const PLAIN_PARTS = ['description', 'personality', 'scenario'] as const;
const hasNote = (part: DefinitionPart): part is Exclude<DefinitionPart, (typeof PLAIN_PARTS)[number]> =>
  !PLAIN_PARTS.some((one) => one === part);

/** What the recommended model reads of a definition. */
export interface DefinitionReading {
  fitted: FittedDefinition;
  /** Tokens of each part as a whole. */
  tokens: Record<DefinitionPart, number>;
  /** The most tokens that it reads; null while unknown. */
  budget: number | null;
}

/** Returns the model that conversations with a character use by default. */
const findRecommended = (items: ModelList['items'], type: ModelType) =>
  items.find(({ id, context_tokens: size }) => type === 'chatgpt' && id === type && size !== undefined) ??
  items.find(({ id }) => id === 'recommended');

/** Loads the recommended model; undefined while unknown. */
function useRecommendedModel(type: ModelType): ModelList['items'][number] | undefined {
  const [models, setModels] = useState<ModelList['items']>([]);
  useEffect(() => {
    let isHere = true;
    void formApi.models().then((answer) => {
      if (isHere && answer.ok) setModels(answer.data.items);
    });
    return () => {
      isHere = false;
    };
  }, []);
  return findRecommended(models, type);
}

/** Computes what the recommended model reads, by the rule that prompts follow. */
export function useDefinitionReading(definition: Definition, type: ModelType): DefinitionReading {
  const { context_tokens: contextTokens, tokenizer = null } = useRecommendedModel(type) ?? {};
  const written = useDeferredValue(definition);
  return useMemo(() => {
    const budget = contextTokens === undefined ? null : computeDefinitionBudget(contextTokens);
    const count = (text: string) => estimateTokens(text, tokenizer);
    const parts = prepareParts(selectPromptParts(written), (text) => text);
    const about = { isReply: true, isCrisis: false, char: '', count };
    const whole = fitDefinition(parts, { ...about, budget: Infinity });
    const tokens = Object.fromEntries(
      DEFINITION_PARTS.map((part) => [
        part,
        whole.parts.find((one) => one.part === part)?.tokens ??
          (written[part].text === '' ? 0 : count(written[part].text)),
      ]),
    ) as DefinitionReading['tokens'];
    return { fitted: budget === null ? whole : fitDefinition(parts, { ...about, budget }), tokens, budget };
  }, [written, contextTokens, tokenizer]);
}

/** The labelled parts behind the traits: each with its cost, its switch, and what the model reads of it. */
export function DefinitionFields() {
  const words = useTranslate('create');
  const { fields } = useCharacterForm();
  const { definition, model_type: type } = fields;
  const reading = useDefinitionReading(definition, type);
  const id = useId();
  return (
    <fieldset className="definition" aria-describedby={id}>
      <legend>{words('definitionLabel')}</legend>
      <p id={id} className="form-note">
        {words('definitionNote')}
      </p>
      <ReadingBar reading={reading} />
      {DEFINITION_PARTS.map((part, index) => (
        <PartField key={part} part={part} index={index} reading={reading} />
      ))}
    </fieldset>
  );
}

/** The length of the bar, in SVG units. */
const BAR = 1000;

/** How much of the definition the recommended model reads; what exceeds its room follows in another colour. */
function ReadingBar({ reading: { fitted, tokens, budget } }: { reading: DefinitionReading }) {
  const words = useTranslate('create');
  const used = fitted.parts.reduce((sum, { part }) => sum + tokens[part], 0);
  if (budget === null || used === 0) return null;
  const scale = BAR / Math.max(used, budget, 1);
  return (
    <div className="definition-reading">
      <p>{words(used > budget ? 'definitionOverLimit' : 'definitionFits', { used, total: budget })}</p>
      <svg aria-hidden="true" viewBox={`0 0 ${BAR} 12`} preserveAspectRatio="none">
        <rect width={fitted.tokens * scale} height="12" className="fill-state" />
        <rect
          x={fitted.tokens * scale}
          width={(used - fitted.tokens) * scale}
          height="12"
          className="fill-danger"
        />
      </svg>
    </div>
  );
}

function PartField({
  part,
  index,
  reading,
}: {
  part: DefinitionPart;
  index: number;
  reading: DefinitionReading;
}) {
  const words = useTranslate('create');
  const { definition } = useCharacterForm().fields;
  const wrong = useFieldError();
  const { text, shared } = definition[part];
  const id = useId();
  const write = (change: Partial<Definition[DefinitionPart]>) =>
    characterForm.write({ definition: { ...definition, [part]: { text, shared, ...change } } });
  const error = wrong('definition', index);
  const readingKey = getReadingKey(part, reading);
  return (
    <details className="definition-part">
      <summary>
        <span>{words(`definitionPart_${part}`)}</span>
        {error === null ? null : <span className="text-danger">{words('definitionPartInvalid')}</span>}
        <span className="form-note">
          {text === ''
            ? words('definitionPartEmpty')
            : words('definitionPartTokens', { count: reading.tokens[part] })}
        </span>
        <Icon name="chevron" />
      </summary>
      <TextField
        id={getFieldId('definition', index)}
        label={words(`definitionPart_${part}`)}
        {...(hasNote(part) ? { note: words(`definitionPart_${part}Note`) } : {})}
        optional
        quietly
        rows={8}
        value={text}
        limit={MAX_PART_CHARS}
        wrong={error}
        write={(value) => write({ text: value })}
      />
      {text === '' || readingKey === null ? null : <p className="form-note">{words(readingKey)}</p>}
      <button
        type="button"
        role="switch"
        aria-checked={shared}
        aria-labelledby={`${id}-shared`}
        className="switch"
        onClick={() => write({ shared: !shared })}
      >
        <span id={`${id}-shared`}>{words('definitionPartShared')}</span>
        <span className="switch-track" />
      </button>
    </details>
  );
}

/** The sentence on what the recommended model reads of a part; null while that is unknown. */
export function getReadingKey(part: DefinitionPart, { fitted, budget }: DefinitionReading) {
  const found = fitted.parts.find((one) => one.part === part);
  if (found === undefined) return 'definitionPartRead_never';
  return budget === null ? null : (`definitionPartRead_${found.state}` as const);
}
