// Takes the frames of a slider and tells the picture that they are there (scrub.js).

export default function (component) {
  window.vstgFrames = {
    ...component.data,
    ask: (key) => component.setTriggerValue("want", key),
  };
  window.dispatchEvent(new Event("vstg-frames"));
}
