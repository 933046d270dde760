import { DEFINITION_PARTS } from '../../features/character/definition-parts.ts';
import { useTranslate } from '../shared/i18n.tsx';
import { getReadingKey, useDefinitionReading } from './DefinitionFields.tsx';
import { useCharacterForm } from './use-field-errors.ts';

/** The parts of an imported card, and what the recommended model reads of them. */
export function CardParts() {
  const words = useTranslate('create');
  const { card, fields } = useCharacterForm();
  const { definition } = card ?? fields;
  const reading = useDefinitionReading(definition, fields.model_type);
  const parts = DEFINITION_PARTS.filter((part) => definition[part].text !== '');
  if (parts.length === 0) return null;
  return (
    <>
      <h3>{words('cardPartsTitle')}</h3>
      <ul>
        {parts.map((part) => {
          const readingKey = getReadingKey(part, reading);
          return (
            <li key={part}>
              <span className="text-text">{words(`definitionPart_${part}`)}</span>{' '}
              <span className="quiet">{words('definitionPartTokens', { count: reading.tokens[part] })}</span>
              <br />
              {readingKey === null ? null : words(readingKey)}
            </li>
          );
        })}
      </ul>
    </>
  );
}
