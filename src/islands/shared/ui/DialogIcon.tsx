import { DIALOG_ICON_PATHS } from '../../../components/dialog-icon-paths.ts';
import { IconPath } from './IconPath.tsx';

/** One of the few icons that every dialog draws. */
export function DialogIcon({ name }: { name: keyof typeof DIALOG_ICON_PATHS }) {
  return <IconPath path={DIALOG_ICON_PATHS[name]} />;
}
