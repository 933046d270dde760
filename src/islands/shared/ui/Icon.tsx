import { ICON_PATHS, type IconName } from '../../../components/icon-paths.ts';
import { IconPath } from './IconPath.tsx';

/** An icon of the set. Decorative: the control that contains it has the text. */
export function Icon({ name, size }: { name: IconName; size?: number }) {
  return <IconPath path={ICON_PATHS[name]} {...(size === undefined ? {} : { size })} />;
}
