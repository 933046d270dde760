import { fetchDictionary } from '../../../islands/shared/load-messages.ts';
import { showToast } from '../../../islands/shared/toasts-state.ts';
import { getLabel } from '../dom.ts';

/** Shows that spicy mode could not be changed. Rejects when the text cannot be loaded. */
export async function showSpicyFailure(): Promise<void> {
  const { errors } = await fetchDictionary<'errors'>({ errors: getLabel('errors') });
  showToast({ text: errors.spicy_failed, kind: 'danger' });
}
