/** Files for the readers: the models of the oracle tests with what they refer to, and a mesh of every format. */
import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../../engine/test/oracles/models/', import.meta.url)
const read = (path) => readFileSync(new URL(path, folder), 'utf8')

const COLLADA = `<COLLADA><asset><unit meter="0.0254"/></asset><library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a">0 0 0 1 0 0 0 1 0 0 0 1</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices><triangles><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2 0 1 3</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><rotate>1 2 3 31.7</rotate><translate>0.1 0.2 0.3</translate><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes></COLLADA>`

export function readerSamples() {
  const files = {}
  for (const part of ['assets', 'parts']) for (const name of readdirSync(new URL(`${part}/`, folder))) files[name] = read(`${part}/${name}`)
  const samples = readdirSync(folder)
    .sort()
    .flatMap((name) => (/\.(xml|urdf)$/.test(name) ? [{ format: name.endsWith('urdf') ? 'URDF' : 'MJCF', name, text: read(name) }] : []))
  samples.push({ format: 'Collada', name: 'turned.dae', text: COLLADA })
  for (const [name, text] of Object.entries(files)) {
    const format = { obj: 'OBJ', stl: 'STL', ply: 'PLY' }[name.split('.').pop()]
    if (format) samples.push({ format, name, text })
  }
  samples.push({
    format: 'Gmsh',
    name: 'two.msh',
    text: '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1.1 1.3 0.7\n$EndNodes\n$Elements\n2\n1 4 2 0 1 1 2 3 4\n2 4 2 0 1 2 3 4 5\n$EndElements\n',
  })
  return { samples, files }
}
