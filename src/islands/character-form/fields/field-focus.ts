import { EXTRA_FIELD_NAMES, type FieldName } from '../form-rules.ts';
import { lorebookStore } from '../lorebook/lorebook-store.ts';

/** Id of a field's control, or of one item's in a list. */
export const getFieldId = (field: FieldName, index?: number): string =>
  index === undefined ? `field-${field}` : `field-${field}-${index}`;

/** Scrolls to a field and focuses it; opens the advanced section if needed. */
export function focusField(field: FieldName, index?: number): void {
  if (field === 'about' || EXTRA_FIELD_NAMES.some((name) => name === field)) {
    if (index === undefined || field === 'definition')
      lorebookStore.updateView({ open: true, wanted: getFieldId(field, index) });
    else lorebookStore.revealEntry(index, getFieldId(field, index));
    return;
  }
  const control =
    document.getElementById(getFieldId(field, index)) ?? document.getElementById(getFieldId(field));
  control?.focus();
  control?.scrollIntoView({ block: 'center' });
}
