import { EXTRA_NAMES, type FieldName } from '../form-rules.ts';
import { lore } from '../lorebook/lore.ts';

/** The id of a field's control, or of one item of a list. */
export const fieldId = (field: FieldName, index?: number): string =>
  index === undefined ? `field-${field}` : `field-${field}-${index}`;

/** Leads to a field and lets one write in it. */
export function goToField(field: FieldName, index?: number): void {
  if (EXTRA_NAMES.some((name) => name === field)) {
    if (index === undefined) lore.see({ open: true, wanted: fieldId(field) });
    else lore.reveal(index, fieldId(field, index));
    return;
  }
  const control = document.getElementById(fieldId(field, index)) ?? document.getElementById(fieldId(field));
  control?.focus();
  control?.scrollIntoView({ block: 'center' });
}
