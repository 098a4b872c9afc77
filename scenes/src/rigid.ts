/**
 * The table of scenes whose bodies are rigid.
 */
import { bennett } from './bennett.js'
import { bridge } from './bridge.js'
import { chain } from './chain.js'
import { crowd } from './crowd.js'
import { doublePendulum } from './double-pendulum.js'
import { fourBar } from './four-bar.js'
import { hingeTree } from './hinge-tree.js'
import { humanoid } from './humanoid.js'
import { humanoidOnGround } from './humanoid-on-ground.js'
import { mixedHeap } from './mixed-heap.js'
import { mobile } from './mobile.js'
import { parallelogram } from './parallelogram.js'
import { ropeBridge } from './rope-bridge.js'
import type { Scene } from './scene.js'
import { sliderCrank } from './slider-crank.js'
import { spider } from './spider.js'
import { springChain } from './spring-chain.js'
import { stewart } from './stewart.js'
import { swimmer } from './swimmer.js'
import { swingingChain } from './swinging-chain.js'
import { alternateTree, tree } from './tree.js'
import { umbrella } from './umbrella.js'

export { type Drive, describeRange, type ParameterValues, type Scene } from './scene.js'

export const rigidScenes: readonly Scene[] = [
  ...[chain, doublePendulum, humanoid, hingeTree, mobile],
  ...[swingingChain, swimmer, spider, crowd],
  ...[bridge, umbrella, tree, alternateTree, ropeBridge, springChain, humanoidOnGround, mixedHeap],
  ...[fourBar, sliderCrank, stewart, parallelogram, bennett],
]
