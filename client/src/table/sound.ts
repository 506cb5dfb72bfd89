// Sounds of cards and chips, synthesized. Loaded only if sound is on.

import type { WireEvent } from "../wire";

const APART = 45; // milliseconds between sounds
let audio: AudioContext | null = null;
let last = 0;

/** Play the sound of an event, if it has one. */
export function play(event: WireEvent, mine: number[]): void {
  if (document.hidden || performance.now() - last < APART) return;
  const sound = soundOf(event, mine);
  if (!sound) return;
  last = performance.now();
  try {
    audio ??= new AudioContext();
  } catch {
    return; // no sound on this device
  }
  void audio.resume().then(() => audio && sound(audio), () => undefined);
}

type Sound = (audio: AudioContext) => void;

export function soundOf(event: WireEvent, mine: number[]): Sound | null {
  switch (event.event) {
    case "CardDealt":
    case "DownCardExposed":
      return card;
    case "WagersPlaced":
      return mine.includes(event.spot) ? (audio) => chips(audio, 2) : null;
    case "HandDoubled":
    case "HandSplit":
    case "InsurancePlaced":
      return (audio) => chips(audio, 2);
    case "WagerSettled":
      return event.paid > event.stake ? (audio) => chips(audio, mine.includes(event.spot) ? 5 : 2) : null;
    case "ShoeCut":
      return shuffle;
    default:
      return null;
  }
}

/** A card sliding over felt: a short burst of filtered noise. */
function card(audio: AudioContext, at = audio.currentTime, volume = 0.22): void {
  const length = 0.09;
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let index = 0; index < data.length; index++) data[index] = (Math.random() * 2 - 1) * (1 - index / data.length) ** 2;
  const noise = new AudioBufferSourceNode(audio, { buffer });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: 2600, Q: 0.7 });
  noise.connect(filter).connect(new GainNode(audio, { gain: volume })).connect(audio.destination);
  noise.start(at);
}

/** Chips clicking together: short high tones. */
function chips(audio: AudioContext, count: number): void {
  for (let index = 0; index < count; index++) {
    const at = audio.currentTime + index * 0.055;
    for (const frequency of [2900, 4300]) {
      const tone = new OscillatorNode(audio, { type: "triangle", frequency: frequency * (1 + 0.05 * Math.random()) });
      const gain = new GainNode(audio, { gain: 0 });
      gain.gain.setValueAtTime(0.07, at);
      gain.gain.exponentialRampToValueAtTime(0.0005, at + 0.05);
      tone.connect(gain).connect(audio.destination);
      tone.start(at);
      tone.stop(at + 0.06);
    }
  }
}

function shuffle(audio: AudioContext): void {
  for (let index = 0; index < 9; index++) card(audio, audio.currentTime + index * 0.04, 0.12);
}
