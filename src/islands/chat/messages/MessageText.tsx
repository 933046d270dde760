import { memo, useState } from 'react';
import type { Span } from '../../../features/markup/markup-spans.ts';
import {
  parseMarkup,
  type Block,
  type ListItem,
  type MessageDocument,
} from '../../../features/markup/parse-markup.ts';
import { useTranslate } from '../../shared/i18n.tsx';

/**
 * The text of a message, drawn. Each block takes its direction from its own letters. While a text grows, only its last
 * block is read and drawn anew.
 */
export const MessageText = memo(function StoryText({
  text,
  growing: isStreaming,
  initial,
}: {
  text: string;
  /** It is still being written. */
  growing: boolean;
  /** The class of a first paragraph whose first letter is set apart; else empty. */
  initial: string;
}) {
  const [readBlocks] = useState(createBlockReader);
  const { blocks } = readBlocks(text, isStreaming);
  return blocks.map((block, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- blocks come one after the other and never change places
    <BlockView key={index} block={block} initial={index === 0 ? initial : ''} />
  ));
});

/** Wider than the place beside a list. */
const WIDE_NUMBER = 100;

/** Remembers what is settled of the text that it read last. */
function createBlockReader() {
  let earlier: MessageDocument | undefined;
  return (text: string, growing: boolean): MessageDocument => {
    earlier = parseMarkup(text, growing, earlier);
    return earlier;
  };
}

const BlockView = memo(function BlockView({ block, initial = '' }: { block: Block; initial?: string }) {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p dir="auto" className={initial}>
          <Spans spans={block.spans} />
        </p>
      );
    case 'heading':
      // A line of a story, and no part of the page's own outline.
      return (
        <p dir="auto" className="story-heading">
          <Spans spans={block.spans} />
        </p>
      );
    case 'quote':
      return (
        <blockquote dir={getDirection(block.blocks)}>
          <InnerBlocks blocks={block.blocks} />
        </blockquote>
      );
    case 'list':
      return <List items={block.items} ordered={block.ordered} />;
    case 'code':
      return (
        <pre dir="auto">
          <code>{block.text}</code>
        </pre>
      );
    case 'rule':
      return <hr />;
    case 'plain':
      return <p dir="auto">{block.text}</p>;
  }
});

function List({ items, ordered }: { items: readonly ListItem[]; ordered: boolean }) {
  const drawn = items.map(({ number, dash, blocks }, index) => (
    <li
      // oxlint-disable-next-line react/no-array-index-key -- items never change places
      key={index}
      value={number ?? undefined}
      dir={getDirection(blocks)}
      className={dash ? 'story-dash' : undefined}
    >
      <InnerBlocks blocks={blocks} />
    </li>
  ));
  if (!ordered) return <ul>{drawn}</ul>;
  const wide = items.some(({ number }) => number !== null && number >= WIDE_NUMBER);
  return <ol className={wide ? 'story-wide' : undefined}>{drawn}</ol>;
}

/** What one paragraph is within takes its direction from it, with the mark or the line beside it on that side. */
function getDirection(blocks: readonly Block[]): 'auto' | undefined {
  return blocks[0]?.kind === 'paragraph' ? 'auto' : undefined;
}

/** The first paragraph of an item or a quote stands in it without an element of its own. */
function InnerBlocks({ blocks }: { blocks: readonly Block[] }) {
  return blocks.map((block, index) =>
    index === 0 && block.kind === 'paragraph' ? (
      <Spans key="first" spans={block.spans} />
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- blocks never change places
      <BlockView key={index} block={block} />
    ),
  );
}

function Spans({ spans }: { spans: readonly Span[] }) {
  return spans.map((span) => <SpanView key={span.at} span={span} />);
}

function SpanView({ span }: { span: Span }) {
  switch (span.kind) {
    case 'text':
      return span.text;
    case 'action':
      return (
        <em>
          <Spans spans={span.spans} />
        </em>
      );
    case 'stress':
      return (
        <strong>
          <Spans spans={span.spans} />
        </strong>
      );
    case 'speech':
      return (
        <span className="story-speech">
          <Spans spans={span.spans} />
        </span>
      );
    case 'code':
      return <code>{span.text}</code>;
    case 'picture':
      return <PictureNote text={span.text} />;
    case 'link':
      return (
        <a
          href={span.href}
          title={span.href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="link"
        >
          <Spans spans={span.spans} />
          {span.host === undefined ? null : (
            <>
              {' '}
              <bdi className="text-text-quiet">({span.host})</bdi>
            </>
          )}
        </a>
      );
  }
}

/** A picture from elsewhere would tell its server who reads this, so its words stand in for it. */
function PictureNote({ text }: { text: string }) {
  const words = useTranslate('chat');
  return (
    <span className="story-picture">
      {text.trim() === '' ? words('pictureOff') : words('pictureOffNamed', { text })}
    </span>
  );
}
