import { useTranslate } from '../shared/i18n.tsx';

const PAGES = [
  { page: 'stats', href: '/admin-stats' },
  { page: 'reports', href: '/admin-reports' },
  { page: 'people', href: '/admin-people' },
  { page: 'feedback', href: '/admin-feedback' },
  { page: 'competition', href: '/admin-competition' },
] as const;
export type AdminPage = (typeof PAGES)[number]['page'];

/** Navigation between the admin pages. Needs the translation namespace `admin`. */
export function AdminNav({ here }: { here: AdminPage }) {
  const words = useTranslate('admin');
  return (
    <nav aria-label={words('label')}>
      <ul className="flex flex-wrap gap-2">
        {PAGES.map(({ page, href }) => (
          <li key={page}>
            <a className="chip" href={href} aria-current={page === here ? 'page' : undefined}>
              {words(page)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
