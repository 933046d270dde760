// What people wear, in head space: the collar sits near y = 140, the picture ends near y = 380.
import { box, circle, fill, glow, inside, line, many, mix, oval, shade } from './draw.mjs';

/** Shoulders as one silhouette; `wide` is a factor near 1, `slope` lowers the outer shoulder. */
export const shoulders = (wide = 1, slope = 0) =>
  `M${-46} 128C${-62} 160 ${-128 * wide} ${164 + slope} ${-164 * wide} ${206 + slope}C${-190 * wide} ${246 + slope} ${-196 * wide} 330 ${-200 * wide} 430V680H${200 * wide}V430C${196 * wide} 330 ${188 * wide} ${244 + slope} ${160 * wide} ${204 + slope}C${126 * wide} ${162 + slope} 64 158 48 128C20 150 -20 150 -46 128Z`;

const folds = (colour, wide) =>
  line(
    `M${-120 * wide} 214C${-112 * wide} 270 ${-128 * wide} 330 ${-118 * wide} 420M${122 * wide} 212C${112 * wide} 270 ${130 * wide} 330 ${120 * wide} 420`,
    shade(colour, 0.45),
    3,
    { opacity: 0.7 },
  );

const lapel = (side, colour, notch = true) =>
  fill(
    `M${side * 44} 126L${side * 76} 150L${side * 92} 200${notch ? `L${side * 70} 208L${side * 88} 222` : ''}L${side * 10} 372L${side * -4} 330L${side * 30} 190Z`,
    colour,
  ) +
  line(
    `M${side * 92} 200${notch ? `L${side * 70} 208L${side * 88} 222` : ''}L${side * 12} 368`,
    shade(colour, 0.5),
    2.2,
  );

const buttons = (x, from, count, colour, step = 40) =>
  many(
    count,
    (index) =>
      circle(x, from + index * step, 6.5, shade(colour, 0.3)) +
      circle(x - 1.5, from - 1.5 + index * step, 4.6, colour),
  );

const dress = {
  uniform: ({ colour, accent, trim }, wide) =>
    folds(colour, wide) +
    fill('M-54 116C-40 150 40 150 56 114L64 150C40 186 -40 186 -62 152Z', glow(colour, 0.08)) +
    line('M-62 152C-40 186 40 186 64 150', trim, 3.5) +
    line('M-54 118C-40 152 40 152 56 116', trim, 2.5) +
    line('M4 178C8 250 8 320 6 420', shade(colour, 0.55), 3) +
    buttons(-14, 212, 4, accent) +
    buttons(26, 212, 4, accent) +
    fill(`M${-150 * wide} 196L${-84 * wide} 168L${-80 * wide} 186L${-152 * wide} 216Z`, shade(colour, 0.25)) +
    line(`M${-150 * wide} 196L${-84 * wide} 168M${-152 * wide} 216L${-80 * wide} 186`, trim, 2.5) +
    fill('M64 224l14 -8l14 8v16l-14 12l-14 -12Z', accent),
  sweater: ({ colour, accent }, wide) =>
    fill(
      'M-60 98C-66 130 -66 150 -60 170C-30 192 34 192 62 168C68 148 68 126 60 96C40 132 -36 132 -60 98Z',
      glow(colour, 0.1),
    ) +
    many(11, (index) =>
      line(
        `M${-56 + index * 11.4} ${118 + 16 * Math.sin((index / 10) * 3.14)}l${(index - 5) * 0.6} 50`,
        shade(colour, 0.4),
        2.4,
      ),
    ) +
    many(7, (index) => {
      const x = (-132 + index * 44) * wide;
      return many(7, (row) =>
        line(`M${x - 9} ${204 + row * 30}l9 12l9 -12`, index % 2 ? accent : shade(colour, 0.35), 3, {
          opacity: 0.75,
        }),
      );
    }),
  suit: ({ colour, accent, under = '#e4d7bf', tie = 'bow' }, wide) =>
    fill('M-46 126L0 380L48 126C24 152 -22 152 -46 126Z', under) +
    fill('M-48 108L-58 136L-18 170L2 146Z', glow(under, 0.3)) +
    fill('M50 108L60 136L22 170L2 146Z', glow(under, 0.1)) +
    line('M-48 112L-58 136L-18 170L2 148L22 170L60 136L50 112', shade(under, 0.45), 2) +
    (tie === 'bow'
      ? fill('M0 154L-34 138V178Z', accent) +
        fill('M4 154L38 138V178Z', shade(accent, 0.2)) +
        box(-6, 146, 16, 16, shade(accent, 0.35), { rx: 4 })
      : fill('M-10 150L14 150L10 172L24 330H-18L-6 172Z', accent) +
        line('M-6 172H10', shade(accent, 0.5), 2.5)) +
    lapel(-1, glow(colour, 0.08)) +
    lapel(1, shade(colour, 0.12)) +
    folds(colour, wide),
  kimono: ({ colour, accent, under, trim }, wide) =>
    folds(colour, wide) +
    fill('M-40 116L-10 300L60 112C34 150 -12 150 -40 116Z', under) +
    fill('M58 110C66 130 60 150 40 190L-40 380L-70 380L24 170C34 146 42 130 44 116Z', accent) +
    fill('M76 116C84 146 70 170 50 210L-26 400H-62L40 186C56 156 60 130 58 110Z', trim) +
    fill('M-46 114C-60 130 -56 160 -40 190L60 400L96 400L-24 186C-34 160 -36 134 -34 120Z', accent) +
    fill('M-60 110C-78 134 -72 166 -54 200L46 420H86L-34 190C-48 160 -50 134 -46 114Z', trim) +
    line('M-46 116C-54 140 -48 164 -34 190L66 400', shade(trim, 0.4), 2),
  apron: ({ colour, accent, trim }, wide) =>
    folds(colour, wide) +
    fill('M-50 118L-66 146L-14 186L2 150L22 186L68 144L52 116C30 148 -28 148 -50 118Z', glow(colour, 0.16)) +
    line('M-66 146L-14 186L2 152L22 186L68 144', shade(colour, 0.5), 2.4) +
    fill('M-88 232C-40 246 44 246 92 230L112 430H-108Z', accent) +
    line('M-88 232C-40 246 44 246 92 230', shade(accent, 0.5), 3) +
    line('M-84 236C-96 200 -86 176 -66 152M88 234C98 200 90 176 70 150', shade(accent, 0.15), 9) +
    line('M-60 300C-30 308 30 308 62 299', trim, 3),
  space: ({ colour, accent, trim }, wide) =>
    folds(colour, wide) +
    line(`M${-96 * wide} 180L-70 400M${98 * wide} 178L74 400`, shade(colour, 0.45), 4) +
    fill(`M${-150 * wide} 200L${-98 * wide} 176L${-90 * wide} 250L${-158 * wide} 268Z`, accent) +
    fill(`M${146 * wide} 198L${98 * wide} 176L${92 * wide} 250L${156 * wide} 266Z`, shade(accent, 0.25)) +
    fill('M-96 140C-96 196 100 196 100 140L102 158C96 206 -92 206 -98 158Z', shade(colour, 0.5)) +
    fill('M-96 134C-96 190 100 190 100 134L84 132C80 172 -76 172 -80 132Z', trim) +
    line('M-80 134C-74 172 78 172 84 134', shade(trim, 0.5), 4) +
    many(7, (index) =>
      circle(-76 + index * 26, 150 + 19 * Math.sin(((index + 0.4) / 6.8) * 3.14), 3.6, shade(trim, 0.6)),
    ) +
    box(-34, 228, 72, 44, shade(colour, 0.3), { rx: 6 }) +
    circle(-14, 250, 8, accent) +
    circle(10, 250, 5, '#e9a83f') +
    circle(25, 250, 5, '#4c9c94'),
  jumpsuit: ({ colour, accent, under }, wide) =>
    folds(colour, wide) +
    fill('M-44 122L2 250L48 122C26 152 -20 152 -44 122Z', under) +
    fill('M-48 106C-70 122 -86 138 -80 160L-20 206L2 228L-8 190L-44 140Z', glow(colour, 0.12)) +
    fill('M52 104C74 120 90 136 84 158L26 206L4 228L12 190L48 140Z', shade(colour, 0.15)) +
    line('M2 230V420', accent, 4) +
    box(-104, 244, 62, 12, shade(colour, 0.4), { rx: 3 }) +
    box(50, 244, 56, 46, shade(colour, 0.28), { rx: 5 }) +
    line('M50 258H106', shade(colour, 0.55), 2.4),
  coat: ({ colour, accent, under }, wide) =>
    folds(colour, wide) +
    fill('M-46 120L2 300L50 120C26 150 -22 150 -46 120Z', under) +
    fill('M-52 92C-84 112 -104 140 -98 180L-52 244L-4 330L-14 250L-48 170Z', glow(colour, 0.1)) +
    fill('M56 90C88 110 108 138 102 178L58 244L8 330L18 250L50 170Z', shade(colour, 0.18)) +
    line(
      'M-52 94C-84 114 -104 140 -98 180L-52 244L-4 330M56 92C88 112 108 138 102 178L58 244L8 330',
      shade(colour, 0.55),
      2.6,
    ) +
    buttons(-40, 330, 2, accent),
  cloak: ({ colour, accent, trim }, wide) =>
    folds(colour, wide) +
    line('M-10 190C-20 270 -14 340 -26 420M30 190C36 270 30 340 44 420', shade(colour, 0.5), 3) +
    many(15, (index) => {
      const at = index / 14;
      const x = (-158 + at * 316) * wide;
      const y = 150 + Math.abs(at - 0.5) ** 1.4 * 130;
      return fill(
        `M${x - 24} ${y - 18}C${x - 22} ${y + 22} ${x - 10} ${y + 40} ${x - 3 + (index % 3) * 4} ${y + 56}C${x + 10} ${y + 38} ${x + 22} ${y + 20} ${x + 24} ${y - 18}Z`,
        index % 2 ? accent : shade(accent, 0.22),
      );
    }) +
    many(15, (index) => {
      const at = index / 14;
      const x = (-130 + at * 260) * wide;
      const y = 128 + Math.abs(at - 0.5) ** 1.4 * 120;
      return fill(
        `M${x - 20} ${y - 16}C${x - 18} ${y + 18} ${x - 8} ${y + 30} ${x + 2 - (index % 3) * 3} ${y + 42}C${x + 10} ${y + 28} ${x + 18} ${y + 16} ${x + 20} ${y - 16}Z`,
        index % 2 ? glow(accent, 0.1) : mix(accent, trim, 0.3),
      );
    }) +
    circle(6, 204, 13, shade(trim, 0.3)) +
    circle(4, 202, 9, trim),
  armour: ({ colour, accent, trim }, wide) =>
    fill('M-130 214C-60 190 64 190 132 212L140 430H-136Z', shade(colour, 0.1)) +
    line('M2 196L4 430', glow(colour, 0.3), 4) +
    line('M-118 250C-60 240 60 240 122 248', shade(colour, 0.45), 3) +
    fill(
      'M-66 92C-74 130 -82 160 -94 190C-40 220 44 220 98 188C86 160 76 130 68 90C40 128 -36 128 -66 92Z',
      glow(colour, 0.06),
    ) +
    line('M-66 94C-36 130 40 130 68 92M-80 150C-36 182 40 182 84 148', shade(colour, 0.5), 3) +
    fill(
      `M${-78} 180C${-120 * wide} 156 ${-176 * wide} 176 ${-196 * wide} 250C${-170 * wide} 276 ${-120 * wide} 272 ${-104} 262C-110 230 -100 200 -78 180Z`,
      glow(colour, 0.14),
    ) +
    fill(
      `M${82} 178C${122 * wide} 154 ${176 * wide} 174 ${194 * wide} 248C${170 * wide} 274 ${120 * wide} 270 ${106} 260C112 230 102 200 82 178Z`,
      shade(colour, 0.14),
    ) +
    line(
      `M${-190 * wide} 240C${-150 * wide} 232 -120 236 -104 246M${188 * wide} 238C${150 * wide} 230 120 234 106 244`,
      shade(colour, 0.5),
      2.6,
    ) +
    many(3, (index) => circle(-150 * wide + index * 24, 216 - index * 8, 4.4, accent)) +
    many(3, (index) => circle(150 * wide - index * 24, 214 - index * 8, 4.4, shade(accent, 0.2))) +
    (trim ? fill('M-20 290C-8 280 14 280 24 290L20 340L2 360L-16 340Z', trim) : ''),
  biker: ({ colour, accent, trim }, wide) =>
    folds(colour, wide) +
    fill(
      'M-58 84C-78 120 -80 150 -66 186C-40 204 -14 206 -2 200L-8 130C-30 124 -48 108 -58 84Z',
      glow(colour, 0.12),
    ) +
    fill('M64 82C84 118 86 150 70 184C46 204 20 206 -2 200L2 132C30 124 52 108 64 82Z', shade(colour, 0.12)) +
    line('M-3 134L-2 420', trim, 4.5) +
    line(`M${-164 * wide} 236L${-70} 196M${162 * wide} 234L74 194`, accent, 9) +
    line(`M${-150 * wide} 186L110 420`, shade(colour, 0.55), 20) +
    line(`M${-150 * wide} 182L110 416`, glow(colour, 0.2), 3) +
    line('M-62 104C-74 130 -74 150 -64 176', accent, 4),
  sari: ({ colour, accent, trim }, wide) =>
    inside(shoulders(wide), fill('M-230 150L-20 150L6 420H-230Z', shade(trim, 0.1))) +
    fill('M-40 128C-20 172 30 172 46 128L62 150C40 200 -34 202 -60 152Z', shade(trim, 0.25)) +
    fill(
      `M${66} 150C${120 * wide} 168 ${176 * wide} 190 ${196 * wide} 300L200 430H-160C-120 340 -40 250 66 150Z`,
      colour,
    ) +
    fill('M66 150L84 156C-10 240 -90 340 -126 430H-160C-120 340 -40 250 66 150Z', accent) +
    line(
      'M90 176C20 240 -50 330 -80 430M112 178C50 240 0 330 -30 430M136 186C90 250 50 340 30 430',
      shade(colour, 0.38),
      3,
    ),
  highneck: ({ colour, accent, trim }, wide) =>
    folds(colour, wide) +
    fill(
      'M-46 74C-52 110 -54 130 -58 152C-30 172 34 172 60 150C56 128 54 108 50 72C30 108 -28 108 -46 74Z',
      trim,
    ) +
    many(8, (index) =>
      line(
        `M${-44 + index * 13} ${92 + 10 * Math.sin((index / 7) * 3.14)}l${(index - 3.5) * 1.4} 58`,
        shade(trim, 0.35),
        2,
      ),
    ) +
    fill('M-58 152C-30 172 34 172 60 150L30 290L2 320L-26 290Z', shade(trim, 0.12)) +
    many(5, (index) =>
      line(
        `M${-34 + index * 3} ${186 + index * 24}Q2 ${202 + index * 24} ${38 - index * 3} ${184 + index * 24}`,
        shade(trim, 0.4),
        2.4,
      ),
    ) +
    oval(2, 150, 13, 16, accent) +
    oval(0, 151, 7, 9, glow(accent, 0.4)),
  harness: ({ colour, accent, trim }, wide) =>
    folds(colour, wide) +
    fill(
      'M-62 92C-82 124 -84 156 -70 190C-30 206 34 206 74 188C88 154 86 122 66 90C40 130 -34 130 -62 92Z',
      glow(colour, 0.08),
    ) +
    line('M2 136V420', shade(colour, 0.5), 4) +
    line(
      `M${-130 * wide} 178C-110 250 -100 330 -104 430M${132 * wide} 176C112 250 102 330 106 430`,
      trim,
      22,
    ) +
    line(
      `M${-130 * wide} 178C-110 250 -100 330 -104 430M${132 * wide} 176C112 250 102 330 106 430`,
      glow(trim, 0.25),
      3,
    ) +
    line('M-104 300H106', trim, 18) +
    line('M-64 112C-76 140 -76 166 -66 184', accent, 4),
  hoodie: ({ colour, accent, under }, wide) =>
    folds(colour, wide) +
    fill('M-50 112C-34 176 38 176 54 110L50 200H-48Z', under) +
    fill(
      'M-60 92C-104 112 -120 152 -98 188C-50 226 54 226 102 186C122 150 108 110 66 90C72 140 44 178 2 180C-40 178 -66 140 -60 92Z',
      glow(colour, 0.1),
    ) +
    line('M-60 94C-66 140 -40 178 2 180C44 178 72 140 66 92', shade(colour, 0.5), 2.8) +
    line('M-24 190V262M28 190V254', accent, 4) +
    circle(-24, 264, 5, accent) +
    circle(28, 256, 5, accent),
  tee: ({ colour, accent, trim }, wide) =>
    inside(
      shoulders(wide),
      many(6, (index) => box(-220, 216 + index * 34, 440, 14, accent, { opacity: 0.85 })),
    ) +
    folds(colour, wide) +
    fill('M-56 116C-42 170 46 170 58 114L68 140C48 194 -44 194 -66 142Z', trim) +
    line('M-66 142C-44 194 48 194 68 140', shade(trim, 0.45), 2.4),
  shirt: ({ colour, accent, under }, wide) =>
    folds(colour, wide) +
    fill('M-44 122L2 260L48 122C26 152 -20 152 -44 122Z', under) +
    fill('M-50 104L-84 140L-60 196L0 262L-40 150Z', glow(colour, 0.16)) +
    fill('M54 102L88 138L64 194L6 262L44 150Z', shade(colour, 0.1)) +
    line('M-84 140L-60 196L2 262L64 194L88 138', shade(colour, 0.5), 2.4) +
    line('M3 262V420', shade(colour, 0.45), 2.6) +
    buttons(3, 284, 3, accent),
  kurta: ({ colour, accent, trim }, wide) =>
    folds(colour, wide) +
    fill('M-54 104C-40 150 44 150 58 102L62 134C44 176 -42 176 -60 136Z', glow(colour, 0.12)) +
    line('M-60 136C-42 176 44 176 62 134M-54 106C-40 150 44 150 58 104', trim, 3) +
    box(-14, 166, 32, 170, accent) +
    line('M-14 166V336M18 166V336M-14 336L2 350L18 336', trim, 3) +
    buttons(2, 190, 4, trim, 38),
  crossed: ({ colour, accent, trim }, wide) =>
    folds(colour, wide) +
    fill('M-54 96C-40 142 44 142 58 94L64 136C44 176 -42 176 -62 138Z', accent) +
    line('M-62 138C-42 176 44 176 64 136M-54 98C-40 142 44 142 58 96', trim, 3) +
    line('M4 166C10 200 60 204 116 250C130 300 128 360 132 420', trim, 6) +
    many(
      3,
      (index) =>
        line(`M${12 + index * 42} ${180 + index * 24}l18 -12`, trim, 4) +
        circle(30 + index * 42, 168 + index * 24, 6, trim),
    ),
  blouse: ({ colour, accent, trim, under }, wide) =>
    inside(
      shoulders(wide),
      fill(
        'M-220 300C-150 260 -110 230 -84 170L-60 420H-220ZM220 300C150 260 110 230 84 170L60 420H220Z',
        under,
      ),
    ) +
    folds(colour, wide) +
    fill('M-52 112C-40 158 44 158 56 110L70 140C46 186 -44 186 -68 142Z', glow(colour, 0.2)) +
    line('M-68 142C-44 186 46 186 70 140', trim, 3) +
    line('M-84 172L-60 420M84 172L60 420', shade(under, 0.4), 4) +
    many(7, (index) => {
      const x = -54 + index * 18;
      const y = 214 + Math.sin((index / 6) * 3.14) * 20;
      return (
        many(5, (petal) =>
          circle(
            x + Math.cos(petal * 1.257) * 6.4,
            y + Math.sin(petal * 1.257) * 6.4,
            4.6,
            index % 2 ? accent : trim,
          ),
        ) + circle(x, y, 3.2, '#e9c46a')
      );
    }) +
    line('M-56 244Q2 282 60 242', trim, 3),
  shawl: ({ colour, accent, trim }, wide) =>
    folds(colour, wide) +
    fill(
      `M-60 110C-110 130 ${-160 * wide} 170 ${-170 * wide} 240C-100 230 -30 270 6 330C40 270 110 228 ${170 * wide} 236C${160 * wide} 170 110 128 64 108C40 156 -34 156 -60 110Z`,
      accent,
    ) +
    line(`M${-162 * wide} 222C-96 214 -24 256 6 312C36 256 106 212 ${162 * wide} 218`, trim, 4) +
    line(
      'M-70 132C-60 180 -30 230 2 268M76 130C64 180 36 230 8 268M-100 150C-90 180 -70 206 -50 228M106 148C96 180 78 204 58 226',
      shade(accent, 0.4),
      2.6,
    ),
};

/** What of a collar stands behind the throat; only a suit's ring has such a part. */
export const drawCollarBack = (wear) =>
  wear.kind === 'space' ? oval(2, 134, 98, 40, shade(wear.trim, 0.25)) + oval(2, 136, 82, 30, '#1d1512') : '';

/** One dressed pair of shoulders. `wear.kind` names the cut; colours come with it. */
export function drawClothes(wear) {
  const { wide = 1, slope = 0 } = wear;
  const body = shoulders(wide, slope);
  const worn = { trim: '#c9a15a', under: '#d8c9ae', ...wear };
  return fill(body, wear.colour) + dress[wear.kind](worn, wide) + (wear.more ?? '');
}
